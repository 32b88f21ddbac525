local hit = require('sightline.hit')

--- One row of the screen: longer lines would wrap and push the first answers off it.
---@param one sightline.Hit
---@return string
local function row(one) return vim.fn.strcharpart(hit.line(one), 0, vim.o.columns - 8) end

---@type sightline.Picker
local M = {
  pick = function(title, hits, client)
    -- Related code comes in groups, which vim.ui.select cannot show.
    if hits[1].reason then
      return require('sightline.live').pick(title, hits, client)
    end
    local options = { prompt = 'Sightline: ' .. title, kind = 'sightline', format_item = row }
    vim.ui.select(hits, options, function(chosen)
      if chosen then
        hit.open(chosen, client)
      end
    end)
  end,
  -- vim.ui.select cannot search while the user types, so this is a window of the plugin.
  live = function(session, query) require('sightline.live').open(session, query) end,
  resume = function() require('sightline.live').resume() end,
}

return M
