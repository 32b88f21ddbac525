local M = {}

---@param uri string such as file:///project/a.py#L12
local function open(uri)
  local file, line = uri:match('^(.-)#L(%d+)')
  local bufnr = vim.uri_to_bufnr(file or uri)
  vim.cmd.wincmd('p')
  vim.cmd("normal! m'")
  vim.bo[bufnr].buflisted = true
  vim.api.nvim_win_set_buf(0, bufnr)
  if line then
    local last = vim.api.nvim_buf_line_count(bufnr)
    vim.api.nvim_win_set_cursor(0, {
      math.min(tonumber(line) --[[@as integer]], last),
      0,
    })
  end
end

--- A line of a hover that links to related code: - calls: [`name`](file:///a.py#L12) `a.py:12`
local RELATED = '^%- .*%[`.+`%]%((file://[^%s%)]+#L%d+)%) `.+:%d+`$'

--- Whether a hover window shows related code of Sightline; other servers' hovers are left alone.
---@param bufnr integer
---@return boolean
local function is_ours(bufnr)
  return vim.iter(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)):any(function(line) return line:match(RELATED) end)
end

--- Makes <CR> open the links of a Sightline hover in Neovim; gx would start the desktop's program.
---@param bufnr integer
function M.map_links(bufnr)
  if not is_ours(bufnr) then
    return
  end
  vim.keymap.set('n', '<CR>', function()
    local uri = vim.api.nvim_get_current_line():match(RELATED)
    if uri then
      open(uri)
    end
  end, { buffer = bufnr, desc = 'Open the related code of this line' })
end

return M
