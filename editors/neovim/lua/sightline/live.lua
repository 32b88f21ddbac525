local config = require('sightline.config')
local hit = require('sightline.hit')
local query_of = require('sightline.query')
local view = require('sightline.view')

local M = {}

--- The last query, brought back by <Up> in an empty prompt.
---@type string?
local last_query

---@class sightline.Live
---@field session sightline.Session
---@field view sightline.View
---@field hits sightline.Hit[]
---@field row integer
---@field query string
---@field cancel fun() stops the search under way
---@field timer uv.uv_timer_t
---@field fixed? sightline.Hit[] what is shown for an empty prompt, instead of help
local Live = {}
Live.__index = Live

local function nothing() end

local HELP = {
  'Say what the code does, or name it.',
  'Narrow it with lang: path: -path: kind: name:',
}

---@return string[]
local function empty_state()
  local lines = vim.list_extend({}, HELP)
  if last_query then
    table.insert(lines, ('Up brings back “%s”'):format(last_query))
  end
  return lines
end

---@param coverage sightline.Coverage
---@return string[]
local function no_result_state(coverage)
  local note = query_of.coverage_note(coverage)
  if note then
    return { 'Nothing found yet: ' .. note .. '.' }
  end
  return { 'Nothing found.', 'Try other words, or fewer filters.' }
end

function Live:select(row)
  if #self.hits > 0 then
    self.row = (row - 1) % #self.hits + 1
    self.view:select(self.row, self.hits[self.row])
  end
end

---@param result? sightline.SearchResult
---@param problem? string
function Live:show(result, problem)
  self.cancel = nothing
  self.hits = result and result.results or {}
  if not result then
    self.view:message({ problem or 'No answer.' }, 'DiagnosticError')
    return self.view:footer('')
  end
  local note = query_of.coverage_note(result.coverage)
  self.view:footer(('%d found in %d ms%s'):format(#self.hits, result.tookMs, note and ' · ' .. note or ''))
  if #self.hits == 0 then
    return self.view:message(no_result_state(result.coverage))
  end
  self.view:list(self.hits)
  self:select(1)
end

function Live:search()
  self.cancel()
  self.view:footer('searching …')
  self.cancel = self.session.search(self.query, function(result, problem) self:show(result, problem) end)
end

--- Each keystroke stops the search before it; only the last text is ever answered on screen.
function Live:typed()
  local query = vim.trim(self.view:prompt())
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
  self.hits = self.fixed or {}
  self.view:footer('')
  if #self.hits == 0 then
    return self.view:message(empty_state())
  end
  self.view:list(self.hits)
  self:select(1)
end

function Live:close()
  if self.query ~= '' and not self.fixed then
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
    hit.open(chosen, self.session.client, how)
  end
end

---@param list 'quickfix'|'loclist'
function Live:to_list(list)
  if #self.hits > 0 then
    local hits, query = self.hits, self.query
    self:close()
    require('sightline.lists').fill(list, query, hits, self.session.client)
  end
end

function Live:recall()
  if self.view:prompt() == '' and last_query then
    self.view:set_prompt(last_query)
    self:typed()
  else
    self:select(self.row - 1)
  end
end

function Live:map_keys()
  local keys = {
    ['<CR>'] = function() self:accept('edit') end,
    ['<C-x>'] = function() self:accept('split') end,
    ['<C-v>'] = function() self:accept('vsplit') end,
    ['<C-t>'] = function() self:accept('tab') end,
    ['<C-q>'] = function() self:to_list('quickfix') end,
    ['<C-l>'] = function() self:to_list('loclist') end,
    ['<Down>'] = function() self:select(self.row + 1) end,
    ['<C-n>'] = function() self:select(self.row + 1) end,
    ['<C-p>'] = function() self:select(self.row - 1) end,
    ['<Up>'] = function() self:recall() end,
    ['<Esc>'] = function() self:close() end,
    ['<C-c>'] = function() self:close() end,
  }
  for key, action in pairs(keys) do
    vim.keymap.set({ 'i', 'n' }, key, action, { buffer = self.view.prompt_buf, nowait = true })
  end
end

function Live:watch()
  vim.api.nvim_create_autocmd({ 'TextChangedI', 'TextChanged' }, {
    buffer = self.view.prompt_buf,
    callback = function() self:typed() end,
  })
  vim.api.nvim_create_autocmd('VimResized', {
    callback = function()
      if not self.view:is_open() then
        return true
      end
      self.view:resize()
    end,
  })
  vim.api.nvim_create_autocmd('WinLeave', {
    buffer = self.view.prompt_buf,
    once = true,
    callback = function()
      vim.schedule(function()
        if self.view:is_open() then
          self:close()
        end
      end)
    end,
  })
end

---@param session sightline.Session
---@param fixed? sightline.Hit[]
local function start(session, fixed)
  local fields = { session = session, fixed = fixed, hits = {}, row = 1, query = '', cancel = nothing }
  local live = setmetatable(fields, Live)
  live.timer = assert(vim.uv.new_timer())
  live.view = view.open()
  live:begin()
  live:map_keys()
  live:watch()
end

--- Opens the search window: a prompt, the answers in the server's order, and what the chosen one looks like.
---@param session sightline.Session
function M.open(session) start(session) end

--- The same window over hits that are there already; the prompt narrows them by name and path.
---@param hits sightline.Hit[]
---@param client vim.lsp.Client
function M.pick(hits, client)
  local function search(query, on_done)
    local wanted = query:lower()
    local results = vim.tbl_filter(
      function(one) return (one.path .. ' ' .. hit.excerpt(one)):lower():find(wanted, 1, true) ~= nil end,
      hits
    )
    on_done({ results = results, tookMs = 0, coverage = { state = 'ready' } })
    return nothing
  end
  start({ client = client, search = search }, hits)
end

return M
