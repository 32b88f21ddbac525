local server = require('sightline.server')

local M = {}

---@type table<integer, sightline.Status> by client id
local latest = {}

--- Keeps the state that the server reports, and updates the statusline.
---@param client_id integer
---@param status sightline.Status
function M.update(client_id, status)
  latest[client_id] = status
  vim.api.nvim_exec_autocmds('User', { pattern = 'SightlineStatus', data = { client_id = client_id } })
  vim.cmd('redrawstatus!')
end

--- Whether every folder of a server is indexed.
---@param client_id integer
---@return boolean
function M.is_ready(client_id)
  local status = latest[client_id]
  local function waiting(folder) return folder.state == 'opening' or folder.state == 'indexing' end
  return status ~= nil and not vim.iter(status.folders):any(waiting)
end

--- The number of files by language id.
---@param client_id integer
---@return table<string, integer>
function M.languages(client_id)
  local files = {}
  for _, folder in ipairs(latest[client_id] and latest[client_id].folders or {}) do
    for language, count in pairs(folder.languages) do
      files[language] = (files[language] or 0) + count
    end
  end
  return files
end

---@param folder sightline.FolderStatus
---@return integer
local function percent(folder) return math.floor(100 * folder.filesIndexed / math.max(folder.filesTotal, 1)) end

---@param client_id integer
---@return string
function M.line(client_id)
  local status = latest[client_id]
  if not status then
    return 'Sightline: starting'
  end
  for _, folder in ipairs(status.folders) do
    if folder.state == 'indexing' then
      -- No percentage: some statuslines read the sign as the start of an item, some do not.
      return ('Sightline: indexing %d/%d'):format(folder.filesIndexed, folder.filesTotal)
    elseif folder.state ~= 'ready' then
      return 'Sightline: ' .. folder.state
    end
  end
  return 'Sightline: ready'
end

---@param bytes integer
---@return string
local function size(bytes)
  local units, unit = { 'B', 'KB', 'MB', 'GB' }, 1
  while bytes >= 1024 and unit < #units do
    bytes, unit = bytes / 1024, unit + 1
  end
  return ('%.1f %s'):format(bytes, units[unit])
end

--- Such as "3 binary, 1 too large".
---@param reasons table<string, integer>
---@return string
local function counted(reasons)
  local parts = {}
  for _, reason in ipairs(vim.fn.sort(vim.tbl_keys(reasons))) do
    table.insert(parts, ('%d %s'):format(reasons[reason], reason))
  end
  return #parts > 0 and table.concat(parts, ', ') or 'nothing'
end

--- Lines that only some folders have: another writer, notes, an error.
---@param folder sightline.FolderStatus
---@return string[]
local function extra_lines(folder)
  local lines = folder.writer and {} or { '  written  by another window' }
  for _, note in ipairs(folder.notes) do
    table.insert(lines, '  note     ' .. note)
  end
  if folder.lastError then
    table.insert(lines, '  error    ' .. folder.lastError)
  end
  return vim.tbl_map(function(line) return (line:gsub('\n', ' ')) end, lines)
end

---@param folder sightline.FolderStatus
---@return string[]
function M.describe(folder)
  local parse = folder.parse
  local lines = {
    (vim.uri_to_fname(folder.uri):gsub('\n', ' ')),
    ('  state    %s'):format(folder.state == 'indexing' and ('indexing %d %%'):format(percent(folder)) or folder.state),
    ('  files    %d of %d'):format(folder.filesIndexed, folder.filesTotal),
    ('  chunks   %d'):format(folder.chunks),
    ('  parsed   %d whole, %d in part, %d failed, %d without a grammar'):format(
      parse.ok,
      parse.partial,
      parse.error,
      parse.no_grammar
    ),
    ('  skipped  %s'):format(counted(folder.skipped)),
    ('  model    %s'):format(folder.model ~= '' and folder.model or 'none: keywords only'),
    ('  on disk  %s'):format(size(folder.diskBytes)),
  }
  return vim.list_extend(lines, extra_lines(folder))
end

---@param status sightline.Status
---@return string[]
local function page(status)
  local lines = { ('Sightline %s — press q to close'):format(status.version) }
  for _, folder in ipairs(status.folders) do
    vim.list_extend(lines, { '' })
    vim.list_extend(lines, M.describe(folder))
  end
  return lines
end

---@param bufnr integer
---@param status sightline.Status
local function render(bufnr, status)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, page(status))
  vim.bo[bufnr].modifiable = false
end

---@return integer bufnr
local function open_window()
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'sightline-status'
  vim.api.nvim_open_win(bufnr, true, { split = 'below', height = 12 })
  vim.wo[0][0].number, vim.wo[0][0].relativenumber, vim.wo[0][0].signcolumn = false, false, 'no'
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, desc = 'Close the status' })
  return bufnr
end

--- Opens a window with the state of every folder, updated until it is closed.
---@param client vim.lsp.Client
function M.open(client)
  server.request(client, 'workspace/indexStatus', vim.empty_dict(), function(status, problem)
    if not status then
      return server.notify(problem or 'no answer', vim.log.levels.ERROR)
    end
    local bufnr = open_window()
    render(bufnr, status)
    vim.api.nvim_create_autocmd('User', {
      pattern = 'SightlineStatus',
      callback = function(event)
        if not vim.api.nvim_buf_is_valid(bufnr) then
          return true
        elseif event.data.client_id == client.id then
          render(bufnr, latest[client.id])
        end
      end,
    })
  end)
end

return M
