local hit = require('sightline.hit')

--- One row of the screen: a longer line would push the first answers off it.
---@param one sightline.Hit
---@return string
local function row(one) return vim.fn.strcharpart(hit.line(one), 0, vim.o.columns - 8) end

---@type sightline.Picker
local M = {
  pick = function(title, hits, client)
    -- Related code comes in groups, which vim.ui.select cannot show.
    if hits[1].reason then
      return require('sightline.live').pick(hits, client)
    end
    local options = { prompt = 'Sightline: ' .. title, kind = 'sightline', format_item = row }
    vim.ui.select(hits, options, function(chosen)
      if chosen then
        hit.open(chosen, client)
      end
    end)
  end,
  -- vim.ui.select cannot ask again while one types, so the live list is a window of our own.
  live = function(session) require('sightline.live').open(session) end,
}

return M
