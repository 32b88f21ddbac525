local fzf = require('fzf-lua')

local config = require('sightline.config')
local hit = require('sightline.hit')

--- In fzf-lua's own format, which its previewer, splits and quickfix actions can parse.
---@param one sightline.Hit
---@param client vim.lsp.Client
---@return string
local function to_line(one, client)
  local place = hit.item(one, client)
  local path = vim.fn.fnamemodify(place.filename, ':.')
  return ('%s:%d:%d: %s'):format(path, place.lnum, place.col, place.text)
end

---@param title string
---@param query? string
---@return table
local function options(title, query)
  return {
    query = query,
    winopts = { title = ' ' .. title .. ' ' },
    previewer = 'builtin',
    query_delay = config.current.debounce,
    actions = fzf.defaults.actions.files,
    -- The server has ranked already: keep its order.
    fzf_opts = { ['--no-sort'] = true, ['--multi'] = true },
  }
end

---@param session sightline.Session
---@param query string
---@param write fun(line: string?) nil ends the list
local function feed(session, query, write)
  return session.search(query, function(result, problem)
    if problem then
      require('sightline.server').notify(problem)
    end
    for _, one in ipairs(result and result.results or {}) do
      write(to_line(one, session.client))
    end
    write(nil)
  end)
end

---@type sightline.Picker
local M = {
  pick = function(title, hits, client)
    local lines = vim.tbl_map(function(one) return to_line(one, client) end, hits)
    fzf.fzf_exec(lines, options('Sightline: ' .. title))
  end,
  live = function(session, initial)
    local cancel = function() end
    fzf.fzf_live(function(args)
      local query = vim.trim(args[1] or '')
      return function(write)
        cancel()
        if query == '' then
          return write(nil)
        end
        cancel = feed(session, query, write)
      end
    end, options('Sightline', initial))
  end,
  resume = function() fzf.resume() end,
}

return M
