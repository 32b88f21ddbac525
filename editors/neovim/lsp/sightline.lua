---@brief
---
--- Sightline finds code by meaning: it indexes the project, keeps the index up to date while you edit, and answers
--- "where is the code that …?" without sending anything over the network.
---
--- The server is the `sightline` command. Enable it with `vim.lsp.enable('sightline')`.
--- Its requests are used by `:SightlineSearch` and `:SightlineRelated`, see `:help sightline`.

---@type vim.lsp.Config
return {
  cmd = { 'sightline', 'serve' },
  root_dir = function(bufnr, on_dir)
    local root = require('sightline.root')
    local dir = root.is_file(bufnr) and root.of_buffer(bufnr)
    if dir then
      on_dir(dir)
    end
  end,
  -- Without a project there is nothing to index, and a home folder must not be indexed by accident.
  workspace_required = true,
  settings = { sightline = vim.empty_dict() },
  capabilities = {
    workspace = {
      -- Off by default on Linux; without it the server has to poll for changes made outside Neovim.
      didChangeWatchedFiles = { dynamicRegistration = true },
    },
  },
  handlers = {
    ['$/sightline/statusChanged'] = function(_, status, context)
      require('sightline.status').update(context.client_id, status)
    end,
  },
  commands = {
    ['sightline.search'] = function(command)
      local query = command.arguments[1]
      require('sightline').search({ query = query, live = true })
    end,
    ['sightline.findRelated'] = function(command) require('sightline').related({ place = command.arguments[1] }) end,
    ['sightline.showStatus'] = function() require('sightline').status() end,
  },
  on_exit = function(code, signal, client_id) require('sightline.restart').on_exit(code, signal, client_id) end,
}
