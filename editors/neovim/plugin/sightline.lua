if vim.g.loaded_sightline then
  return
end
vim.g.loaded_sightline = true

---@param command vim.api.keyset.create_user_command.command_args
---@return string?
local function query_of(command)
  if command.args ~= '' then
    return command.args
  end
  if command.range == 0 then
    return nil
  end
  local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  local lines = vim.fn.getregion(from, to, { type = vim.fn.visualmode() })
  return vim.trim(table.concat(lines, ' '))
end

---@param command vim.api.keyset.create_user_command.command_args
---@return 'quickfix'?
local function list_of(command) return command.bang and 'quickfix' or nil end

vim.api.nvim_create_user_command(
  'SightlineSearch',
  function(command) require('sightline').search({ query = query_of(command), list = list_of(command) }) end,
  {
    nargs = '*',
    bang = true,
    range = true,
    complete = function(lead)
      return lead ~= '' and require('sightline.complete').candidates(lead, require('sightline.server').running()) or {}
    end,
    desc = 'Find code by meaning; with ! the answers go to the quickfix list',
  }
)

vim.api.nvim_create_user_command(
  'SightlineRelated',
  function(command) require('sightline').related({ list = list_of(command) }) end,
  { bang = true, desc = 'Code related to what is under the cursor; with ! into the quickfix list' }
)

vim.api.nvim_create_user_command(
  'SightlineResume',
  function() require('sightline').resume() end,
  { desc = 'Open the last list of answers again' }
)

vim.api.nvim_create_user_command(
  'SightlineStatus',
  function() require('sightline').status() end,
  { desc = 'What is indexed, by which model, and what went wrong' }
)

vim.api.nvim_create_user_command(
  'SightlineReindex',
  function() require('sightline').reindex() end,
  { desc = 'Index this project again from the beginning' }
)

vim.api.nvim_create_autocmd('WinEnter', {
  group = vim.api.nvim_create_augroup('sightline.hover', {}),
  desc = 'Links of a Sightline hover open in Neovim',
  callback = function()
    if vim.w['textDocument/hover'] then
      require('sightline.hover').map_links(0)
    end
  end,
})

for group, link in pairs({ SightlineMatch = 'Search', SightlineListMatch = 'Special', SightlineRange = 'Visual' }) do
  vim.api.nvim_set_hl(0, group, { link = link, default = true })
end
