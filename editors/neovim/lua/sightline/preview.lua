local hit = require('sightline.hit')

local M = {}

local namespace = vim.api.nvim_create_namespace('sightline.preview')
local MAX_BYTES = 1024 * 1024

--- The text of an open buffer, else of the file, else of the snippet.
---@param one sightline.Hit
---@return string[] lines
---@return integer first line number of lines[1], from 0
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
  vim.api.nvim_win_set_config(win, { title = '', footer = '' })
  return bufnr
end

--- Marks the lines of the hit and the words that matched.
---@param bufnr integer
---@param one sightline.Hit
---@param first integer the file's line that is the buffer's first, from 0
---@param encoding string
local function mark(bufnr, one, first, encoding)
  local last = vim.api.nvim_buf_line_count(bufnr)
  local start = math.min(math.max(one.range.start.line - first, 0), last - 1)
  local stop = math.min(math.max(one.range['end'].line - first, start), last)
  vim.api.nvim_buf_set_extmark(bufnr, namespace, start, 0, {
    end_row = math.max(stop, math.min(start + 1, last)),
    hl_group = 'SightlineRange',
    hl_eol = true,
  })
  for _, match in ipairs(hit.matches(one, encoding)) do
    local line = match.line - first
    -- A snippet may leave lines out, and the file may have changed since.
    if vim.api.nvim_buf_get_lines(bufnr, line, line + 1, false)[1] == match.source then
      vim.hl.range(bufnr, namespace, 'SightlineMatch', { line, match.from }, { line, match.to }, { priority = 5000 })
    end
  end
end

--- Scrolls to the start of the hit, or further if the landing line would not be visible from there.
---@param win integer
---@param start integer line of the buffer, from 1
---@param landing integer
local function scroll(win, start, landing)
  vim.api.nvim_win_set_cursor(win, { landing, 0 })
  local height = vim.api.nvim_win_get_height(win)
  local top = landing - start < height and start or landing - math.floor(height / 3)
  vim.api.nvim_win_call(win, function() vim.fn.winrestview({ topline = math.max(top, 1) }) end)
end

---@param win integer
---@param one sightline.Hit
---@param encoding string
function M.show(win, one, encoding)
  local bufnr = M.clear(win)
  local lines, first = text_of(one)
  lines = vim.tbl_map(function(line) return (line:gsub('\n', ' ')) end, lines)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  colour(bufnr, vim.uri_to_fname(one.uri))
  mark(bufnr, one, first, encoding)
  vim.wo[win].number, vim.wo[win].wrap, vim.wo[win].cursorline = true, false, true
  local last = vim.api.nvim_buf_line_count(bufnr)
  local function in_buffer(line) return math.min(math.max(line - first + 1, 1), last) end
  scroll(win, in_buffer(one.range.start.line), in_buffer(hit.landing(one).start.line))
  local said = hit.visible((one.reason and one.reason .. ', ' or '') .. (one.why or ''))
  local footer = said ~= '' and ' ' .. said .. ' ' or ''
  local titles = { title = ' ' .. hit.location(one) .. ' ', footer = footer, footer_pos = 'right' }
  vim.api.nvim_win_set_config(win, titles)
end

return M
