local config = require('sightline.config')
local server = require('sightline.server')

local M = {}

---@param options? sightline.Options
function M.setup(options) config.set(options) end

---@class sightline.SearchOptions
---@field query? string without one the search is live: results while the user types
---@field live? boolean begin a live search with the query
---@field list? 'quickfix'|'loclist' put the answers there instead of showing the picker
---@field request? table more fields of workspace/semanticSearch, such as filters or minScore

---@param title string
---@param hits sightline.Hit[]
---@param client vim.lsp.Client
---@param list? 'quickfix'|'loclist'
local function show(title, hits, client, list)
  if list then
    require('sightline.lists').fill(list, title, hits, client)
  else
    require('sightline.picker').get().pick(title, hits, client)
  end
end

---@param session sightline.Session
---@param query string
---@param list? 'quickfix'|'loclist'
local function search_once(session, query, list)
  session.search(query, function(result, problem)
    if not result then
      return server.notify(problem or 'no answer', vim.log.levels.ERROR)
    end
    local note = require('sightline.query').coverage_note(result.coverage)
    if #result.results == 0 then
      return server.notify(('nothing found for %q%s'):format(query, note and ' (' .. note .. ')' or ''))
    end
    show(query .. (note and ' — ' .. note or ''), result.results, session.client, list)
  end)
end

--- Finds code by meaning.
---@param options? sightline.SearchOptions
function M.search(options)
  options = options or {}
  local bufnr = vim.api.nvim_get_current_buf()
  server.with(bufnr, function(client)
    local session = require('sightline.query').session(client, bufnr, options.request)
    if options.live or not options.query or options.query == '' then
      require('sightline.picker').get().live(session, options.query)
    else
      search_once(session, options.query, options.list)
    end
  end)
end

--- Opens the last list of answers again.
function M.resume() require('sightline.picker').get().resume() end

---@class sightline.RelatedOptions
---@field list? 'quickfix'|'loclist' put the answers there instead of showing the picker
---@field place? { uri: string, position: lsp.Position } instead of the cursor, as code actions and lenses name it

---@param place? { uri: string, position: lsp.Position }
---@param client vim.lsp.Client
---@return table
local function related_params(place, client)
  local params = place and { textDocument = { uri = place.uri }, position = place.position }
    or vim.lsp.util.make_position_params(0, client.offset_encoding)
  return vim.tbl_extend('force', params, { limit = config.current.limit })
end

--- Shows code related to what is under the cursor.
---@param options? sightline.RelatedOptions
function M.related(options)
  options = options or {}
  server.with(vim.api.nvim_get_current_buf(), function(client)
    local params = related_params(options.place, client)
    server.request(client, 'textDocument/related', params, function(result, problem)
      if not result then
        return server.notify(problem or 'no answer', vim.log.levels.ERROR)
      elseif #result.results == 0 then
        return server.notify('nothing related to what is under the cursor')
      end
      show('related code', result.results, client, options.list)
    end)
  end)
end

--- Shows what is indexed in a window that is kept up to date.
function M.status()
  server.with(vim.api.nvim_get_current_buf(), function(client) require('sightline.status').open(client) end)
end

--- Indexes the project again from the beginning.
function M.reindex()
  server.with(vim.api.nvim_get_current_buf(), function(client)
    local command = { command = 'sightline.reindex', arguments = {} }
    server.request(client, 'workspace/executeCommand', command, function(_, problem)
      if problem then
        server.notify(problem, vim.log.levels.ERROR)
      else
        server.notify('indexing the project again', vim.log.levels.INFO)
      end
    end)
  end)
end

--- A short text for the statusline: empty without a server, else the state and the progress of indexing.
---@return string
function M.statusline()
  local client = server.running()
  return client and require('sightline.status').line(client.id) or ''
end

return M
