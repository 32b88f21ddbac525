local M = {}

--- The file link under or nearest after the cursor of a line.
---@param line string
---@param column integer 1-based byte column
---@return string? uri with its #L fragment
local function link_at(line, column)
  local from, last = 1, nil
  while true do
    local start, stop, uri = line:find('%[[^%]]*%]%((file://[^%s%)]+)%)', from)
    if not start then
      return last
    end
    if column <= stop then
      return uri
    end
    from, last = stop + 1, uri
  end
end

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
    vim.api.nvim_win_set_cursor(0, { math.min(tonumber(line) --[[@as integer]], last), 0 })
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
    local uri = link_at(vim.api.nvim_get_current_line(), vim.fn.col('.'))
    if uri then
      open(uri)
    end
  end, { buffer = bufnr, desc = 'Open the file this line links to' })
end

return M
