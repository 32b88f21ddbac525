local M = {}

--- The command that makes a window first; "edit" uses the current one.
local WINDOWS = { split = 'split', vsplit = 'vsplit', tab = 'tab split' }

--- Where the cursor goes: to the name or the call, else to the start.
---@param hit sightline.Hit
---@return lsp.Range
function M.landing(hit) return hit.selectionRange or hit.range end

---@param hit sightline.Hit
---@return integer
function M.lnum(hit) return M.landing(hit).start.line + 1 end

--- Text with control characters escaped: a file name must neither break a list nor send codes to the terminal.
---@param text string
---@return string
function M.visible(text) return vim.fn.strtrans(text) end

--- The line, and the cell of a notebook, as people count: from 1.
---@param hit sightline.Hit
---@return string
function M.position(hit) return ('%d%s'):format(M.lnum(hit), hit.cell and (' cell %d'):format(hit.cell + 1) or '') end

---@param hit sightline.Hit
---@return string
function M.location(hit) return ('%s:%s'):format(M.visible(hit.path), M.position(hit)) end

---@param hit sightline.Hit
---@return string[]
local function snippet_lines(hit) return vim.split(hit.snippet.text, '\n', { plain = true }) end

---@param hit sightline.Hit
---@return string
local function first_line(hit)
  local first = math.max(M.landing(hit).start.line - hit.snippet.startLine, 0) + 1
  return vim.iter(snippet_lines(hit)):skip(first - 1):find(function(line) return vim.trim(line) ~= '' end) or ''
end

--- What a list shows of a hit: the signature of what it defines, or else its first line that is not blank.
---@param hit sightline.Hit
---@return string
function M.excerpt(hit)
  -- A related hit is shown by the line that relates it, such as the call.
  local by_line = hit.reason and hit.reason ~= 'similar'
  local signature = not by_line and hit.symbol and hit.symbol.signature or ''
  local text = signature ~= '' and signature or first_line(hit)
  return M.visible((vim.trim(text):gsub('%s+', ' ')))
end

--- The reason in brackets, or nothing.
---@param hit sightline.Hit
---@return string
local function reason(hit) return hit.reason and '[' .. hit.reason .. '] ' or '' end

--- One line for lists that show nothing but text.
---@param hit sightline.Hit
---@return string
function M.line(hit)
  local why = hit.why and not hit.reason and '  · ' .. M.visible(hit.why) or ''
  return reason(hit) .. M.location(hit) .. '  ' .. M.excerpt(hit) .. why
end

---@class sightline.Match
---@field text string the matched words
---@field source string the whole line they are in
---@field line integer of the file, from 0
---@field from integer first byte, from 0
---@field to integer byte after the last

--- The words of the snippet that matched.
---@param hit sightline.Hit
---@param encoding string
---@return sightline.Match[]
function M.matches(hit, encoding)
  local lines, found = snippet_lines(hit), {}
  for _, range in ipairs(hit.snippet.highlights or {}) do
    local source = lines[range.start.line + 1] or ''
    local from = vim.str_byteindex(source, encoding, range.start.character, false)
    local to = vim.str_byteindex(source, encoding, range['end'].character, false)
    table.insert(found, {
      text = source:sub(from + 1, to),
      source = source,
      line = hit.snippet.startLine + range.start.line,
      from = from,
      to = to,
    })
  end
  return found
end

--- A quickfix entry; made one by one because Neovim's own conversion of a list sorts it by file.
---@param hit sightline.Hit
---@param client vim.lsp.Client
---@return vim.quickfix.entry
function M.item(hit, client)
  local location = { uri = hit.uri, range = M.landing(hit) }
  local item = vim.lsp.util.locations_to_items({ location }, client.offset_encoding)[1]
  item.text = reason(hit) .. M.excerpt(hit)
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
