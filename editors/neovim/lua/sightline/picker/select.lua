local hit = require('sightline.hit')

---@type sightline.Picker
local M = {
  pick = function(title, hits, client)
    local options = { prompt = 'Sightline: ' .. title, kind = 'sightline', format_item = hit.line }
    vim.ui.select(hits, options, function(chosen)
      if chosen then
        hit.open(chosen, client)
      end
    end)
  end,
  -- vim.ui.select cannot ask again while one types, so the live list is a window of our own.
  live = function(session)
    require('sightline.live').open(session)
  end,
}

return M
