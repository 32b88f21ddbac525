local config = require('sightline.config')
local server = require('sightline.server')
local vocabulary = require('sightline.vocabulary')

local M = {}

local FILTERS = { 'lang:', 'path:', '-path:', 'kind:', 'name:' }

--- Searches in one project; a session outlives a crash of the server it began with.
---@param client vim.lsp.Client
---@param request? table
---@return sightline.Session
function M.session(client, request)
  local base = vim.tbl_extend('force', { limit = config.current.limit, context = 'smart' }, request or {})
  local session = { client = client }
  function session.search(query, on_done)
    session.client = server.of_root(client.root_dir) or session.client
    local params = vim.tbl_extend('force', base, { query = query })
    return server.request(session.client, 'workspace/semanticSearch', params, on_done)
  end
  return session
end

--- What the user must know about an answer from an index that is not whole.
---@param coverage sightline.Coverage
---@return string?
function M.coverage_note(coverage)
  if coverage.state == 'indexing' then
    local percent = math.floor(100 * coverage.filesIndexed / math.max(coverage.filesTotal, 1))
    return ('indexing %d %%'):format(percent)
  elseif coverage.state == 'degraded' then
    return 'degraded' .. (coverage.reason and ': ' .. coverage.reason or '')
  end
end

--- Completes the inline filters of a query on the command line.
---@param lead string
---@return string[]
function M.complete(lead)
  local candidates = FILTERS
  for filter, values in pairs({ ['kind:'] = vocabulary.kinds, ['lang:'] = vocabulary.languages }) do
    if vim.startswith(lead, filter) then
      candidates = vim.tbl_map(function(value) return filter .. value end, values)
    end
  end
  return vim.tbl_filter(function(candidate) return lead ~= '' and vim.startswith(candidate, lead) end, candidates)
end

return M
