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

---@param bufnr integer
---@return boolean
local function has_links(bufnr)
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
  return text:find('](file://', 1, true) ~= nil
end

--- Makes <CR> open the links of a hover window in Neovim; gx would ask the desktop.
---@param bufnr integer
function M.map_links(bufnr)
  if not has_links(bufnr) then
    return
  end
  vim.keymap.set('n', '<CR>', function()
    local uri = vim.api.nvim_get_current_line():match('%]%((file://[^%s%)]+)%)')
    if uri then
      open(uri)
    end
  end, { buffer = bufnr, desc = 'Open the file this line links to' })
end

return M
