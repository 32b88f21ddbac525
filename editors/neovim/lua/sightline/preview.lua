local hit = require('sightline.hit')

local M = {}

local namespace = vim.api.nvim_create_namespace('sightline.preview')
local MAX_BYTES = 1024 * 1024

--- The text as the user would see it: an open buffer first, then the disk, then what the server sent.
---@param one sightline.Hit
---@return string[] lines
---@return integer first the line number of lines[1], from 0
local function text_of(one)
  local path = vim.uri_to_fname(one.uri)
  local bufnr = vim.fn.bufnr(path)
  if bufnr ~= -1 and vim.api.nvim_buf_is_loaded(bufnr) then
    return vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), 0
  end
  local stat = vim.uv.fs_stat(path)
  if stat and stat.size <= MAX_BYTES then
    local ok, lines = pcall(vim.fn.readfile, path)
    if ok then
      return lines, 0
    end
  end
  return vim.split(one.snippet.text, '\n', { plain = true }), one.snippet.startLine
end

---@param bufnr integer
---@param path string
local function colour(bufnr, path)
  local filetype = vim.filetype.match({ filename = path }) or ''
  local language = vim.treesitter.language.get_lang(filetype)
  if not language or not pcall(vim.treesitter.start, bufnr, language) then
    vim.bo[bufnr].syntax = filetype
  end
end

---@param win integer
---@return integer bufnr an empty buffer in that window
function M.clear(win)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.api.nvim_win_set_buf(win, bufnr)
  vim.api.nvim_win_set_config(win, { title = '' })
  return bufnr
end

---@param win integer
---@param one sightline.Hit
function M.show(win, one)
  local bufnr = M.clear(win)
  local lines, first = text_of(one)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.tbl_map(function(line) return (line:gsub('\n', ' ')) end, lines))
  colour(bufnr, vim.uri_to_fname(one.uri))
  local last = vim.api.nvim_buf_line_count(bufnr)
  local start = math.min(math.max(one.range.start.line - first, 0), last - 1)
  local stop = math.min(math.max(one.range['end'].line - first, start), last)
  vim.api.nvim_buf_set_extmark(bufnr, namespace, start, 0, {
    end_row = math.max(stop, math.min(start + 1, last)),
    hl_group = 'Visual',
    hl_eol = true,
  })
  vim.wo[win].number, vim.wo[win].wrap = true, false
  vim.api.nvim_win_set_cursor(win, { start + 1, 0 })
  vim.api.nvim_win_call(win, function() vim.cmd('normal! zt') end)
  vim.api.nvim_win_set_config(win, { title = ' ' .. hit.location(one) .. ' ' })
end

return M
