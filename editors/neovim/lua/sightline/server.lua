local root = require('sightline.root')

local M = {}

local START_LIMIT_MS = 30000
local POLL_MS = 20

---@param text string
---@param level? integer
function M.notify(text, level) vim.notify('Sightline: ' .. text, level or vim.log.levels.WARN) end

---@param config vim.lsp.Config
---@return boolean
local function installed(config) return type(config.cmd) ~= 'table' or vim.fn.executable(config.cmd[1]) == 1 end

---@param bufnr integer
---@return integer? client_id
---@return string? problem
local function start(bufnr)
  local config = vim.deepcopy(vim.lsp.config.sightline)
  if not installed(config) then
    return nil, ('%q is not installed or not on $PATH, see :checkhealth sightline'):format(config.cmd[1])
  end
  local dir, problem = root.of_command(bufnr)
  if not dir then
    return nil, problem
  end
  config.root_dir = dir
  local id = vim.lsp.start(config, { bufnr = bufnr, attach = root.is_file(bufnr) })
  return id, not id and 'the server did not start, see :checkhealth sightline' or nil
end

---@param id integer
---@param on_ready fun(client: vim.lsp.Client)
local function when_ready(id, on_ready)
  local deadline = vim.uv.now() + START_LIMIT_MS
  local function check()
    local client = vim.lsp.get_client_by_id(id)
    if client and client.initialized then
      return on_ready(client)
    elseif not client or vim.uv.now() > deadline then
      return M.notify('the server did not answer, see :checkhealth sightline', vim.log.levels.ERROR)
    end
    vim.defer_fn(check, POLL_MS)
  end
  check()
end

---@param dir string?
---@return vim.lsp.Client?
function M.of_root(dir)
  return vim
    .iter(vim.lsp.get_clients({ name = 'sightline' }))
    :find(function(client) return client.root_dir == dir and not client:is_stopped() end)
end

--- The running server of a buffer's project, without starting one.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.running(bufnr)
  local attached = vim.lsp.get_clients({ name = 'sightline', bufnr = bufnr or 0 })[1]
  if attached and not attached:is_stopped() then
    return attached
  end
  return M.of_root(root.of_buffer(bufnr or 0))
end

--- Calls back with the server of a buffer's project, which is started if it is not running.
---@param bufnr integer
---@param on_ready fun(client: vim.lsp.Client)
function M.with(bufnr, on_ready)
  local client = M.running(bufnr)
  if client then
    return on_ready(client)
  end
  local id, problem = start(bufnr)
  if not id then
    return M.notify(assert(problem), vim.log.levels.ERROR)
  end
  when_ready(id, on_ready)
end

--- Requests without an answer yet: Neovim drops them when a server crashes, and their callers would wait forever.
---@type table<integer, table<fun(result: any, problem: string?), true>> by client id
local waiting = {}

---@param client_id integer
function M.fail_pending(client_id)
  for finish in pairs(waiting[client_id] or {}) do
    finish(nil, 'the server stopped before it answered; try again')
  end
  waiting[client_id] = nil
end

--- Sends a request; the function it returns cancels it, after which the callback is never called.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param on_done fun(result: any, problem: string?)
---@return fun() cancel
function M.request(client, method, params, on_done)
  waiting[client.id] = waiting[client.id] or {}
  local open = waiting[client.id]
  local function finish(result, problem)
    if open[finish] then
      open[finish] = nil
      on_done(result, problem)
    end
  end
  open[finish] = true
  local sent, id = client:request(method, params, function(err, result) finish(result, err and err.message) end)
  if not sent then
    finish(nil, 'the server is not running; try again in a moment')
  end
  return function()
    if open[finish] then
      open[finish] = nil
      client:cancel_request(assert(id))
    end
  end
end

return M
