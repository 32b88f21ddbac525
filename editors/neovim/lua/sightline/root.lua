local M = {}

local MARKERS = { '.sightline.toml', '.git', '.hg', '.jj' }

---@param folder string
---@param path string
---@return boolean
local function contains(folder, path) return path == folder or vim.startswith(path, folder .. '/') end

--- Whether a buffer shows a file on disk, not help, a terminal or a plugin's buffer with a scheme.
---@param bufnr integer
---@return boolean
function M.is_file(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  return vim.bo[bufnr].buftype == '' and name ~= '' and not name:match('^%a[%w+.-]+://')
end

--- The folder of a running server that contains the file, for projects without a marker.
---@param path string
---@return string?
local function running_root(path)
  for _, client in ipairs(vim.lsp.get_clients({ name = 'sightline' })) do
    if client.root_dir and contains(client.root_dir, path) then
      return client.root_dir
    end
  end
end

--- The project of a buffer, or nil if it is in none.
---@param bufnr integer
---@return string?
function M.of_buffer(bufnr)
  local marked = vim.fs.root(bufnr, MARKERS)
  if marked then
    return marked
  end
  local name = vim.api.nvim_buf_get_name(bufnr)
  return running_root(name ~= '' and vim.fs.normalize(name) or vim.fn.getcwd())
end

--- The project of a command; the user requested it, so the working directory is used if nothing else is known.
---@param bufnr integer
---@return string? root
---@return string? problem
function M.of_command(bufnr)
  local root = M.of_buffer(bufnr) or vim.fs.normalize(vim.fn.getcwd())
  if root == vim.fs.normalize('~') or vim.fs.dirname(root) == root then
    return nil, ('%s is not a project: open a file of one, or :cd into it'):format(root)
  end
  return root
end

return M
