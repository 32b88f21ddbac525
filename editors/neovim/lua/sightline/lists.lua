local hit = require('sightline.hit')

local M = {}

--- Puts hits into the quickfix or the location list, in the server's order, and opens it.
---@param list 'quickfix'|'loclist'
---@param title string
---@param hits sightline.Hit[]
---@param client vim.lsp.Client
function M.fill(list, title, hits, client)
  local what = { title = 'Sightline: ' .. title, items = {} }
  for _, one in ipairs(hits) do
    table.insert(what.items, hit.item(one, client))
  end
  if list == 'loclist' then
    vim.fn.setloclist(0, {}, ' ', what)
    vim.cmd('lopen')
  else
    vim.fn.setqflist({}, ' ', what)
    vim.cmd('botright copen')
  end
end

return M
