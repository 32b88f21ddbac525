local complete = require('sightline.complete')
local config = require('sightline.config')
local hit = require('sightline.hit')
local keys = require('sightline.keys')
local query_of = require('sightline.query')
local server = require('sightline.server')
local view = require('sightline.view')

local M = {}

---@class sightline.Source
---@field session sightline.Session
---@field title string of the window
---@field hits? sightline.Hit[] shown while the prompt is empty, which else shows help

---@class sightline.Live
---@field source sightline.Source
---@field view sightline.View
---@field hits sightline.Hit[]
---@field result? sightline.SearchResult the answer on screen
---@field row integer
---@field query string
---@field outdated boolean the answer came from an incomplete index, or there was none
---@field cancel fun() stops the search in progress
---@field timer uv.uv_timer_t
local Live = {}
Live.__index = Live

--- The window that was closed last, for |:SightlineResume|.
---@type { source: sightline.Source, prompt: string, result?: sightline.SearchResult, row: integer }?
local closed

--- The last query, which <Up> in an empty prompt brings back.
---@type string?
local last_query

local function nothing() end

local HELP = {
  'Describe what the code does, or name it.',
  'Tab completes filters: lang: path: kind: name: in: re:/…/',
}

---@return string[]
local function help()
  local lines = vim.list_extend({}, HELP)
  if last_query then
    table.insert(lines, ('Up brings back “%s”'):format(last_query))
  end
  return lines
end

---@param coverage? sightline.Coverage
---@return string[]
local function nothing_found(coverage)
  local note = coverage and query_of.coverage_note(coverage)
  if note then
    return { 'Nothing found yet: ' .. note .. '.' }
  end
  return { 'Nothing found.', 'Try other words, or fewer filters.' }
end

---@param result sightline.SearchResult
---@return string
local function summary(result)
  local note = result.coverage and query_of.coverage_note(result.coverage)
  local took = result.tookMs and (' in %d ms'):format(result.tookMs) or ''
  return ('%d found%s%s'):format(#result.results, took, note and ' · ' .. note or '')
end

function Live:select(row)
  if #self.hits > 0 then
    self.row = (row - 1) % #self.hits + 1
    self.view:select(self.row, self.hits[self.row])
  end
end

---@param problem? string
function Live:show_problem(problem)
  self.hits, self.result, self.outdated = {}, nil, true
  self.view:message({ problem or 'No answer.' }, 'DiagnosticError')
  self.view:footer('')
end

---@param result sightline.SearchResult
---@param row? integer
function Live:show(result, row)
  self.result, self.hits = result, result.results
  self.outdated = result.coverage ~= nil and result.coverage.state == 'indexing'
  self.view:footer(summary(result))
  if #self.hits == 0 then
    return self.view:message(nothing_found(result.coverage))
  end
  self.view:list(self.hits, result.note)
  self:select(math.min(row or 1, #self.hits))
end

--- The row in which a new answer has the hit that is selected now, else the first.
---@param result sightline.SearchResult
---@return integer
function Live:row_in(result)
  local selected = self.hits[self.row]
  for row, one in ipairs(selected and result.results or {}) do
    if one.uri == selected.uri and vim.deep_equal(one.range, selected.range) then
      return row
    end
  end
  return 1
end

---@param refresh? boolean keep the selected hit
function Live:search(refresh)
  self.cancel()
  self.view:footer('searching …')
  self.cancel = self.source.session.search(self.query, function(result, problem)
    self.cancel = nothing
    if not result then
      return self:show_problem(problem)
    end
    self:show(result, refresh and self:row_in(result) or 1)
    -- The index may have become ready between the search and its answer.
    if self.outdated and not refresh then
      self:refresh()
    end
  end)
end

--- Searches again when the index has become ready after an answer from a part of it; without a hit also before.
function Live:refresh()
  local wanted = #self.hits == 0 or self.source.session.is_ready()
  if self.outdated and self.query ~= '' and wanted then
    self.outdated = false
    self:search(true)
  end
end

--- Starts a search when no key was pressed for a moment; only the last text is ever answered.
function Live:typed()
  local query = complete.without_unfinished(self.view:prompt())
  if query == self.query then
    return
  end
  self.query = query
  self.cancel()
  self.timer:stop()
  if query == '' then
    return self:begin()
  end
  self.timer:start(config.current.debounce, 0, function()
    vim.schedule(function()
      if self.view:is_open() and self.query == query then
        self:search()
      end
    end)
  end)
end

--- What an empty prompt shows.
function Live:begin()
  if self.source.hits then
    return self:show({ results = self.source.hits })
  end
  self.hits, self.result, self.outdated = {}, nil, false
  self.view:footer('')
  self.view:message(help())
end

function Live:close()
  closed = { source = self.source, prompt = self.view:prompt(), result = self.result, row = self.row }
  if self.query ~= '' and not self.source.hits then
    last_query = self.query
  end
  self.cancel()
  self.timer:stop()
  self.timer:close()
  self.view:close()
end

---@param how sightline.How
function Live:accept(how)
  local chosen = self.hits[self.row]
  if chosen then
    self:close()
    hit.open(chosen, self.source.session.client, how)
  end
end

---@param list 'quickfix'|'loclist'
function Live:to_list(list)
  if #self.hits > 0 then
    local hits, title = self.hits, self.query ~= '' and self.query or self.source.title
    self:close()
    require('sightline.lists').fill(list, title, hits, self.source.session.client)
  end
end

function Live:recall()
  if self.view:prompt() == '' and last_query and not self.source.hits then
    self.view:set_prompt(last_query)
    self:typed()
  else
    self:select(self.row - 1)
  end
end

--- Completes the filter before the cursor: inserts the only candidate, or opens the menu.
function Live:complete()
  local column = vim.api.nvim_win_get_cursor(self.view.prompt_win)[2]
  local word = self.view:prompt():sub(1, column):match('%S*$')
  local candidates = complete.candidates(word, self.source.session.client)
  if #candidates == 1 then
    vim.api.nvim_paste(candidates[1]:sub(#word + 1), false, -1)
  elseif #candidates > 1 then
    vim.fn.complete(column - #word + 1, candidates)
  end
end

--- Runs a function on an event until the window is closed.
---@param event string
---@param pattern? string
---@param action fun()
function Live:on(event, pattern, action)
  vim.api.nvim_create_autocmd(event, {
    pattern = pattern,
    callback = function()
      if not self.view:is_open() then
        return true
      end
      action()
    end,
  })
end

function Live:watch()
  vim.api.nvim_create_autocmd({ 'TextChangedI', 'TextChangedP', 'TextChanged' }, {
    buffer = self.view.prompt_buf,
    callback = function() self:typed() end,
  })
  self:on('VimResized', nil, function() self:resized() end)
  self:on('User', 'SightlineStatus', function() self:refresh() end)
  vim.api.nvim_create_autocmd('WinLeave', {
    buffer = self.view.prompt_buf,
    once = true,
    callback = vim.schedule_wrap(function()
      if self.view:is_open() then
        self:close()
      end
    end),
  })
end

--- Rows are cut to the width of the window, so they are written again.
function Live:resized()
  self.view:resize()
  if #self.hits > 0 then
    self.view:list(self.hits, self.result and self.result.note)
    self:select(self.row)
  end
end

---@param source sightline.Source
---@return sightline.Live
local function open(source)
  local fields = { source = source, hits = {}, row = 1, query = '', outdated = false, cancel = nothing }
  local live = setmetatable(fields, Live)
  live.timer = assert(vim.uv.new_timer())
  live.view = view.open(source.title, source.session.client.offset_encoding)
  keys.map(live)
  live:watch()
  return live
end

--- Opens the search window: a prompt, the answers in the server's order, and a preview of the selected one.
---@param session sightline.Session
---@param query? string to begin with
function M.open(session, query)
  local live = open({ session = session, title = 'Sightline' })
  live:begin()
  if query then
    live.view:set_prompt(query)
    live:typed()
  end
end

--- Opens the same window over given hits; the prompt narrows them by path and text.
---@param title string
---@param hits sightline.Hit[]
---@param client vim.lsp.Client
function M.pick(title, hits, client)
  local function search(query, on_done)
    local wanted = query:lower()
    local function contains(one) return (one.path .. ' ' .. hit.excerpt(one)):lower():find(wanted, 1, true) ~= nil end
    on_done({ results = vim.tbl_filter(contains, hits) })
    return nothing
  end
  local session = { client = client, search = search, is_ready = function() return true end }
  open({ session = session, title = 'Sightline: ' .. title, hits = hits }):begin()
end

--- Opens the window that was closed last as it was.
function M.resume()
  if not closed then
    return server.notify('there is no search to resume')
  end
  local live = open(closed.source)
  live.view:set_prompt(closed.prompt)
  live.query = complete.without_unfinished(closed.prompt)
  if closed.result then
    live:show(closed.result, closed.row)
  elseif live.query ~= '' then
    live:search()
  else
    live:begin()
  end
end

return M
