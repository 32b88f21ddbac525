local M = {}

local WINDOW_MS = 180000
local DELAYS_MS = { 500, 1000, 2000, 4000, 8000 }

---@type integer[] times of the last crashes, in uv milliseconds
local crashes = {}

---@param now integer
---@return integer? delay in milliseconds, nil after too many crashes
local function next_delay(now)
  crashes = vim.tbl_filter(function(at) return now - at < WINDOW_MS end, crashes)
  table.insert(crashes, now)
  return DELAYS_MS[#crashes]
end

---@param config vim.lsp.ClientConfig
---@param buffers integer[]
local function start_again(config, buffers)
  if vim.v.exiting ~= vim.NIL then
    return
  end
  local loaded = vim.tbl_filter(vim.api.nvim_buf_is_loaded, buffers)
  if #loaded == 0 then
    vim.lsp.start(config, { attach = false })
  end
  for _, bufnr in ipairs(loaded) do
    vim.lsp.start(config, { bufnr = bufnr })
  end
end

--- Starts a crashed server again, which Neovim does not do: up to five times in three minutes, with growing delays.
---@param code integer
---@param signal integer
---@param client_id integer
function M.on_exit(code, signal, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  vim.schedule(function() require('sightline.server').fail_pending(client_id) end)
  local asked_for = code == 0 and (signal == 0 or signal == 15)
  if asked_for or not client or not client.initialized then
    return
  end
  -- Neovim has detached the buffers before a scheduled function runs.
  local config, buffers = client.config, vim.tbl_keys(client.attached_buffers)
  local delay = next_delay(vim.uv.now())
  vim.schedule(function()
    if delay then
      vim.defer_fn(function() start_again(config, buffers) end, delay)
    else
      local text = 'the server crashed %d times in three minutes and is not started again, see :checkhealth sightline'
      require('sightline.server').notify(text:format(#crashes), vim.log.levels.ERROR)
    end
  end)
end

return M
