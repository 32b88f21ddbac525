local M = {}

local health = vim.health
local ANSWER_LIMIT_MS = 3000

local function check_neovim()
  health.start('sightline: Neovim')
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
  else
    health.error('Neovim 0.11 or newer is needed', 'vim.lsp.config and vim.lsp.enable are missing here')
  end
end

---@return string? version
---@return string? problem
local function server_version(command)
  local ran, job = pcall(vim.system, { command, '--version' }, { text = true, timeout = 10000 })
  if not ran then
    return nil, tostring(job)
  end
  local answer = job:wait()
  if answer.code ~= 0 then
    return nil, vim.trim(answer.stderr or '')
  end
  return vim.trim(answer.stdout)
end

local function check_server()
  health.start('sightline: server')
  local cmd = vim.lsp.config.sightline.cmd
  if type(cmd) ~= 'table' then
    return health.info('the server is started by a function of your configuration')
  elseif vim.fn.executable(cmd[1]) ~= 1 then
    return health.error(('%q is not on $PATH'):format(cmd[1]), {
      'Install the server, or',
      "name it: vim.lsp.config('sightline', { cmd = { '/path/to/sightline', 'serve' } })",
    })
  end
  local version, problem = server_version(cmd[1])
  if version then
    health.ok(('%s (%s)'):format(version, vim.fn.exepath(cmd[1])))
  else
    health.error(('%s --version failed: %s'):format(cmd[1], problem))
  end
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('sightline') then
    health.warn('not enabled: the server is started by the first search', "Add vim.lsp.enable('sightline')")
  end
end

---@param client vim.lsp.Client
local function check_folders(client)
  local answer, problem = client:request_sync('workspace/indexStatus', vim.empty_dict(), ANSWER_LIMIT_MS)
  if not answer or answer.err then
    return health.error('the server does not answer: ' .. (problem or answer.err.message))
  end
  for _, folder in ipairs(answer.result.folders) do
    local report = vim.tbl_contains({ 'degraded', 'failed' }, folder.state) and health.warn or health.ok
    report(table.concat(require('sightline.status').describe(folder), '\n'))
  end
end

local function check_clients()
  health.start('sightline: running')
  local clients = vim.lsp.get_clients({ name = 'sightline' })
  if #clients == 0 then
    health.info('no server is running; it is started when a file of a project is opened, or by a search')
  end
  for _, client in ipairs(clients) do
    health.info(('%s, positions in %s'):format(client.root_dir, client.offset_encoding))
    check_folders(client)
  end
end

local function check_watching()
  health.start('sightline: changes made outside Neovim')
  if vim.fn.has('linux') == 0 or vim.fn.executable('inotifywait') == 1 then
    health.ok('files are watched by the system')
  else
    health.info(
      'without inotifywait (package inotify-tools) Neovim watches every folder by itself, which starts more slowly'
    )
  end
end

local function check_picker()
  health.start('sightline: picker')
  local wanted = require('sightline.config').current.picker
  local ok, name = pcall(require('sightline.picker').name)
  if ok then
    health.ok(('%s (option picker = %q)'):format(name, wanted))
  else
    health.error(tostring(name))
  end
end

function M.check()
  check_neovim()
  check_server()
  check_clients()
  check_watching()
  check_picker()
end

return M
