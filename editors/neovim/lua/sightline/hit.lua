local M = {}

--- What makes room first; "edit" takes the window there is.
local WINDOWS = { split = 'split', vsplit = 'vsplit', tab = 'tab split' }

--- Where the cursor goes: to the name or the call, else to the start.
---@param hit sightline.Hit
---@return lsp.Range
function M.landing(hit) return hit.selectionRange or hit.range end

---@param hit sightline.Hit
---@return integer
function M.lnum(hit) return M.landing(hit).start.line + 1 end

--- What a name or a line says, on one line: a list must not be broken, nor a terminal moved, by what a file is called.
---@param text string
---@return string
function M.visible(text) return vim.fn.strtrans(text) end

---@param hit sightline.Hit
---@return string
function M.location(hit) return ('%s:%d'):format(M.visible(hit.path), M.lnum(hit)) end

---@param hit sightline.Hit
---@return string
local function first_line(hit)
  local lines = vim.split(hit.snippet.text, '\n', { plain = true })
  local first = math.max(hit.range.start.line - hit.snippet.startLine, 0) + 1
  return vim.iter(lines):skip(first - 1):find(function(line) return vim.trim(line) ~= '' end) or ''
end

--- What a list shows of a hit: the signature of what it defines, or else its first line that says something.
---@param hit sightline.Hit
---@return string
function M.excerpt(hit)
  -- A related hit is shown by the line that says it, such as the call.
  local shown = hit.reason and hit.reason ~= 'similar'
  local signature = not shown and hit.symbol and hit.symbol.signature or ''
  local text = signature ~= '' and signature or first_line(hit)
  return M.visible((vim.trim(text):gsub('%s+', ' ')))
end

--- One line for lists that know nothing but text.
---@param hit sightline.Hit
---@return string
function M.line(hit)
  local reason = hit.reason and '[' .. hit.reason .. '] ' or ''
  return reason .. M.location(hit) .. '  ' .. M.excerpt(hit)
end

--- A quickfix entry; made one by one because Neovim's own conversion of a list sorts it by file.
---@param hit sightline.Hit
---@param client vim.lsp.Client
---@return vim.quickfix.entry
function M.item(hit, client)
  local location = { uri = hit.uri, range = M.landing(hit) }
  local item = vim.lsp.util.locations_to_items({ location }, client.offset_encoding)[1]
  item.text = (hit.reason and '[' .. hit.reason .. '] ' or '') .. M.excerpt(hit)
  item.user_data = nil
  return item
end

---@param hit sightline.Hit
---@param client vim.lsp.Client
---@param how? sightline.How
function M.open(hit, client, how)
  vim.cmd("normal! m'")
  local make_window = WINDOWS[how]
  if make_window then
    vim.cmd(make_window)
  end
  local location = { uri = hit.uri, range = M.landing(hit) }
  vim.lsp.util.show_document(location, client.offset_encoding, { focus = true, reuse_win = false })
  vim.cmd('normal! zv')
end

return M
