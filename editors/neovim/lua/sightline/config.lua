local M = {}

---@class sightline.Options
---@field picker? 'auto'|'select'|'snacks'|'telescope'|'fzf-lua' which list to show answers in
---@field limit? integer number of answers
---@field debounce? integer milliseconds without a keystroke before a live search starts

---@class sightline.Config
---@field picker string
---@field limit integer
---@field debounce integer
local defaults = { picker = 'auto', limit = 30, debounce = 150 }

---@type sightline.Config
M.current = vim.deepcopy(defaults)

---@param options? sightline.Options
function M.set(options)
  options = options or {}
  for key in pairs(options) do
    if defaults[key] == nil then
      local known = vim.tbl_keys(defaults)
      table.sort(known)
      error(('sightline: unknown option %q; use one of %s'):format(key, table.concat(known, ', ')), 0)
    end
  end
  vim.validate('picker', options.picker, 'string', true)
  vim.validate('limit', options.limit, 'number', true)
  vim.validate('debounce', options.debounce, 'number', true)
  M.current = vim.tbl_extend('force', defaults, options)
end

return M
