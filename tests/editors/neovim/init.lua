-- The configuration of the tests: what the README tells a user to write, and nothing else that changes Neovim.
local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
vim.opt.runtimepath:prepend(vim.fs.joinpath(here, '..', '..', '..', 'editors', 'neovim'))

for plugin in vim.gsplit(vim.env.SIGHTLINE_TEST_PLUGINS or '', ':', { trimempty = true }) do
  vim.opt.runtimepath:append(plugin)
end

vim.lsp.enable('sightline')
vim.o.statusline = '%f %=%{v:lua.require("sightline").statusline()}'
vim.o.swapfile = false

-- What the server told, in order, for tests that ask whether progress was seen.
_G.statuslines = {}
vim.api.nvim_create_autocmd('User', {
  pattern = 'SightlineStatus',
  callback = function() table.insert(_G.statuslines, require('sightline').statusline()) end,
})
