-- Shows made-up hits in the live window and returns what can be seen of them, for test_neovim_rows.py.
local M = {}

---@param path string
---@param more? table
function M.hit(path, more)
  return vim.tbl_extend('force', {
    uri = 'file:///project/' .. path,
    path = path,
    range = { start = { line = 4, character = 0 }, ['end'] = { line = 6, character = 0 } },
    snippet = { text = 'größe = open()\n  open(a)', startLine = 4, truncated = false },
  }, more or {})
end

local function highlighted(bufnr, mark)
  return vim.api.nvim_buf_get_text(bufnr, mark[2], mark[3], mark[4].end_row, mark[4].end_col, {})[1]
end

--- The texts of a buffer by how they are shown: above a row, right of a row, or highlighted by a group.
---@param bufnr integer
---@return table<string, string[]>
function M.marks(bufnr)
  local found = vim.defaulttable(function() return {} end)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, -1, 0, -1, { details = true })) do
    for _, line in ipairs(mark[4].virt_lines or {}) do
      table.insert(found.above, ('%d %s'):format(mark[2], vim.trim((line[1][1]:gsub('─', '')))))
    end
    for _, text in ipairs(mark[4].virt_text or {}) do
      table.insert(found.right, text[1])
    end
    if mark[4].hl_group and not mark[4].hl_eol then
      table.insert(found[mark[4].hl_group], highlighted(bufnr, mark))
    end
  end
  return found
end

---@param hits sightline.Hit[]
---@param note? string
function M.shown(hits, note)
  local view = require('sightline.view').open('Test', 'utf-16')
  view:list(hits, note)
  local found = M.marks(view.list_buf)
  found.rows = vim.api.nvim_buf_get_lines(view.list_buf, 0, -1, false)
  view:close()
  return found
end

return M
