local config = require('sightline.config')

local M = {}

---@class sightline.Adapter
---@field module string of the picker plugin
---@field adapter string

---@type table<string, sightline.Adapter>
local ADAPTERS = {
  snacks = { module = 'snacks.picker', adapter = 'sightline.picker.snacks' },
  telescope = { module = 'telescope', adapter = 'sightline.picker.telescope' },
  ['fzf-lua'] = { module = 'fzf-lua', adapter = 'sightline.picker.fzf_lua' },
  select = { module = 'sightline.picker.select', adapter = 'sightline.picker.select' },
}

local PREFERENCE = { 'snacks', 'telescope', 'fzf-lua', 'select' }

---@param name string
---@return boolean
local function present(name) return (pcall(require, ADAPTERS[name].module)) end

--- The picker in use: the configured one, or the first that is installed.
---@return string
function M.name()
  local wanted = config.current.picker
  if wanted == 'auto' then
    return vim.iter(PREFERENCE):find(present)
  elseif not ADAPTERS[wanted] then
    error(('sightline: unknown picker %q; use one of auto, %s'):format(wanted, table.concat(PREFERENCE, ', ')), 0)
  elseif not present(wanted) then
    error(('sightline: picker = %q, but that plugin is not installed'):format(wanted), 0)
  end
  return wanted
end

---@return sightline.Picker
function M.get() return require(ADAPTERS[M.name()].adapter) end

return M
