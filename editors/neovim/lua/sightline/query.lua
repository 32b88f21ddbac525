local config = require('sightline.config')
local root = require('sightline.root')
local server = require('sightline.server')
local status = require('sightline.status')

local M = {}

--- Searches in one project, with a new client after the server was restarted.
---@param client vim.lsp.Client
---@param bufnr integer the buffer the search was started from
---@param request? table
---@return sightline.Session
function M.session(client, bufnr, request)
  local base = { limit = config.current.limit, context = 'smart' }
  if root.is_file(bufnr) then
    base.currentDocument = vim.uri_from_bufnr(bufnr)
  end
  base = vim.tbl_extend('force', base, request or {})
  local session = { client = client }
  local function reconnect() session.client = server.of_root(client.root_dir) or session.client end
  function session.search(query, on_done)
    reconnect()
    local params = vim.tbl_extend('force', base, { query = query })
    return server.request(session.client, 'workspace/semanticSearch', params, on_done)
  end
  function session.is_ready()
    reconnect()
    return status.is_ready(session.client.id)
  end
  return session
end

--- The warning for an answer from an incomplete index.
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

return M
