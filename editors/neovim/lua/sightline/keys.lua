--- The keys of the live window.
local M = {}

--- Keys that mean something else while the menu of completions is open.
local MENU_KEYS = {
  ['<CR>'] = '<C-y>',
  ['<Esc>'] = '<C-e>',
  ['<Tab>'] = '<C-n>',
  ['<S-Tab>'] = '<C-p>',
  ['<Down>'] = '<C-n>',
  ['<Up>'] = '<C-p>',
  ['<C-n>'] = '<C-n>',
  ['<C-p>'] = '<C-p>',
}

--- Completion works in Insert mode only.
local INSERT_ONLY = { ['<Tab>'] = true, ['<S-Tab>'] = true }

---@param live sightline.Live
---@return table<string, fun()>
local function actions(live)
  return {
    ['<CR>'] = function() live:accept('edit') end,
    ['<C-x>'] = function() live:accept('split') end,
    ['<C-v>'] = function() live:accept('vsplit') end,
    ['<C-t>'] = function() live:accept('tab') end,
    ['<C-q>'] = function() live:to_list('quickfix') end,
    ['<C-l>'] = function() live:to_list('loclist') end,
    ['<Down>'] = function() live:select(live.row + 1) end,
    ['<C-n>'] = function() live:select(live.row + 1) end,
    ['<C-p>'] = function() live:select(live.row - 1) end,
    ['<Up>'] = function() live:recall() end,
    ['<Tab>'] = function() live:complete() end,
    ['<S-Tab>'] = function() end,
    ['<Esc>'] = function() live:close() end,
    ['<C-c>'] = function() live:close() end,
  }
end

--- Maps the keys in the prompt of a live window.
---@param live sightline.Live
function M.map(live)
  for key, action in pairs(actions(live)) do
    local modes = INSERT_ONLY[key] and 'i' or { 'i', 'n' }
    vim.keymap.set(modes, key, function()
      if MENU_KEYS[key] and vim.fn.pumvisible() == 1 then
        vim.api.nvim_feedkeys(vim.keycode(MENU_KEYS[key]), 'n', false)
      else
        action()
      end
    end, { buffer = live.view.prompt_buf, nowait = true })
  end
end

return M
