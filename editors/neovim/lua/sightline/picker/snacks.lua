local picker = require('snacks.picker')

local config = require('sightline.config')
local hit = require('sightline.hit')

---@param one sightline.Hit
---@param client vim.lsp.Client
local function to_item(one, client)
  local place = hit.item(one, client)
  return {
    text = hit.line(one),
    file = place.filename,
    pos = { place.lnum, place.col - 1 },
    line = place.text,
    hit = one,
  }
end

---@param hits sightline.Hit[]
---@param client vim.lsp.Client
local function to_items(hits, client)
  return vim.tbl_map(function(one) return to_item(one, client) end, hits)
end

--- Waits in the picker's coroutine; cancels the search when the picker starts a newer one.
---@param session sightline.Session
---@param query string
---@param async table
local function await_items(session, query, async)
  local items
  local cancel = function() end
  async:on('abort', vim.schedule_wrap(function() cancel() end))
  async:sleep(config.current.debounce)
  vim.schedule(function()
    cancel = session.search(query, function(result, problem)
      if problem then
        require('sightline.server').notify(problem)
      end
      items = to_items(result and result.results or {}, session.client)
      async:resume()
    end)
  end)
  while not items do
    async:suspend()
  end
  return items
end

---@param session sightline.Session
local function finder(session)
  return function(_, ctx)
    local query = vim.trim(ctx.filter.search)
    if query == '' then
      return {}
    end
    return function(add) vim.iter(await_items(session, query, ctx.async)):each(add) end
  end
end

---@type sightline.Picker
local M = {
  pick = function(title, hits, client)
    picker.pick({
      title = 'Sightline: ' .. title,
      items = to_items(hits, client),
      format = 'file',
    })
  end,
  live = function(session, query)
    picker.pick({
      title = 'Sightline',
      live = true,
      search = query,
      supports_live = true,
      finder = finder(session),
      -- The server has ranked already: keep its order.
      sort = { fields = { 'idx' } },
      format = 'file',
    })
  end,
  resume = function() picker.resume() end,
}

return M
