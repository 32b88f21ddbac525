local conf = require('telescope.config').values
local finders = require('telescope.finders')
local pickers = require('telescope.pickers')
local sorters = require('telescope.sorters')

local config = require('sightline.config')
local hit = require('sightline.hit')

---@param client vim.lsp.Client
---@return fun(one: sightline.Hit): table
local function entry_maker(client)
  return function(one)
    local item = hit.item(one, client)
    return {
      value = one,
      ordinal = hit.line(one),
      display = hit.line(one),
      filename = item.filename,
      lnum = item.lnum,
      col = item.col,
      text = item.text,
    }
  end
end

--- Searches for each prompt; Telescope's own dynamic finder would block until the answer.
---@param session sightline.Session
local function live_finder(session)
  local make_entry = entry_maker(session.client)
  local cancel = function() end
  local finder = {
    close = function() cancel() end,
  }
  return setmetatable(finder, {
    __call = function(_, prompt, process_result, process_complete)
      cancel()
      if vim.trim(prompt) == '' then
        return process_complete()
      end
      cancel = session.search(prompt, function(result, problem)
        if problem then
          require('sightline.server').notify(problem)
        end
        for index, one in ipairs(result and result.results or {}) do
          local entry = make_entry(one)
          entry.index = index
          process_result(entry)
        end
        process_complete()
      end)
    end,
  })
end

---@param title string
---@param finder table
---@param sorter table
---@param query? string
local function open(title, finder, sorter, query)
  local options = { debounce = config.current.debounce, default_text = query }
  pickers
    .new(options, {
      prompt_title = title,
      finder = finder,
      sorter = sorter,
      previewer = conf.qflist_previewer({}),
    })
    :find()
end

---@type sightline.Picker
local M = {
  pick = function(title, hits, client)
    local finder = finders.new_table({ results = hits, entry_maker = entry_maker(client) })
    open('Sightline: ' .. title, finder, conf.generic_sorter({}))
  end,
  live = function(session, query)
    -- The server has ranked already: the empty sorter keeps the order of arrival.
    open('Sightline', live_finder(session), sorters.empty(), query)
  end,
  resume = function() require('telescope.builtin').resume() end,
}

return M
