-- The configuration of the tests: that of the README, and no other change to Neovim.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
vim.opt.runtimepath:prepend(vim.fs.joinpath(here, '..', '..', '..', 'editors', 'neovim'))

for plugin in vim.gsplit(vim.env.SIGHTLINE_TEST_PLUGINS or '', ':', { trimempty = true }) do
  vim.opt.runtimepath:append(plugin)
end

vim.lsp.enable('sightline')
vim.o.statusline = '%f %=%{v:lua.require("sightline").statusline()}'
vim.o.swapfile = false

-- The progress that the server reported, in order, for tests that check it.
_G.statuslines = {}
vim.api.nvim_create_autocmd('User', {
  pattern = 'SightlineStatus',
  callback = function() table.insert(_G.statuslines, require('sightline').statusline()) end,
})
