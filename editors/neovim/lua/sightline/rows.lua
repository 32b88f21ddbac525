local hit = require('sightline.hit')

local M = {}

local namespace = vim.api.nvim_create_namespace('sightline.rows')

local LONGEST_WHY = 24
local SHORTEST_EXCERPT = 8
local WEAK = 'less likely'
local GROUPS = {
  definition = 'Definition',
  ['called by'] = 'Called by',
  calls = 'Calls',
  ['test of'] = 'Tests',
  ['tested by'] = 'Tests this',
  implements = 'Implements',
  ['same name'] = 'Same name',
  similar = 'Similar',
}

---@param bufnr integer
function M.clear(bufnr) vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1) end

--- The text in at most `room` columns.
---@param text string
---@param room integer
---@return string
local function cut(text, room)
  if vim.api.nvim_strwidth(text) <= room then
    return text
  end
  while text ~= '' and vim.api.nvim_strwidth(text) > math.max(room, 1) - 1 do
    text = vim.fn.strcharpart(text, 0, vim.fn.strchars(text) - 1)
  end
  return text .. '…'
end

--- The byte at which the name of a hit's symbol begins in its excerpt.
---@param one sightline.Hit
---@param excerpt string
---@return integer?
local function name_start(one, excerpt)
  local name = one.symbol and hit.visible(one.symbol.name) or ''
  -- The first occurrence may be in the type of a receiver.
  return name ~= '' and (excerpt:find(name .. '(', 1, true) or excerpt:find(name, 1, true)) or nil
end

--- The excerpt in at most `room` columns. What is before the name, such as a receiver, is left out first.
---@param one sightline.Hit
---@param room integer
---@return string
local function fitted(one, room)
  local excerpt = hit.excerpt(one)
  local start = name_start(one, excerpt)
  local head = start and excerpt:sub(1, start + #one.symbol.name - 1) or ''
  if vim.api.nvim_strwidth(head) < room then
    return cut(excerpt, room)
  end
  return cut('…' .. excerpt:sub(start), room)
end

--- The end of a long path says more than its beginning.
---@param folder string
---@param room integer
---@return string
local function shorten(folder, room) return #folder <= room and folder or '…' .. folder:sub(-math.max(room - 1, 1)) end

--- The first of the reasons, which are separated by commas; the preview shows all of them.
---@param one sightline.Hit
---@return string
local function short_why(one)
  local why = one.why and not one.reason and one.why:match('^[^,]+') or ''
  return cut(hit.visible(why), LONGEST_WHY)
end

---@alias sightline.Part { [1]: string, [2]?: string } text and its highlight

--- The reason of each row; one that every row has would say nothing.
---@param hits sightline.Hit[]
---@return string[]
local function reasons(hits)
  local whys = vim.tbl_map(short_why, hits)
  local same = vim.iter(whys):all(function(why) return why == whys[1] end)
  return same and vim.tbl_map(function() return '' end, whys) or whys
end

---@param one sightline.Hit
---@param why string
---@param width integer
---@return sightline.Part[]
---@return string why empty if there is no room for it
local function parts(one, why, width)
  local path = hit.visible(one.path)
  local name = vim.fs.basename(path)
  local folder = shorten(path:sub(1, -#name - 1), math.max(math.floor(width / 2) - #name, 8))
  local place = (':%s  '):format(hit.position(one))
  local room = width - vim.api.nvim_strwidth(folder .. name .. place)
  local beside = room - vim.api.nvim_strwidth(why) - 2
  if why == '' or beside < SHORTEST_EXCERPT then
    why, beside = '', math.max(room, 1)
  end
  local row = {
    { folder, 'Comment' },
    { name, 'Directory' },
    { place, 'LineNr' },
    { fitted(one, beside) },
  }
  return row, why
end

---@param row sightline.Part[]
---@return string
local function text_of(row)
  return table.concat(vim.tbl_map(function(part) return part[1] end, row))
end

---@param bufnr integer
---@param line integer from 0
---@param row sightline.Part[]
local function colour(bufnr, line, row)
  local column = 0
  for _, part in ipairs(row) do
    if part[2] then
      vim.hl.range(bufnr, namespace, part[2], { line, column }, { line, column + #part[1] })
    end
    column = column + #part[1]
  end
end

--- Marks the words that matched where they occur in the excerpt.
---@param bufnr integer
---@param line integer from 0
---@param row sightline.Part[]
---@param words table<string, true>
local function mark(bufnr, line, row, words)
  local excerpt = row[#row][1]
  local start = #text_of(row) - #excerpt
  for word in pairs(words) do
    local from, to = excerpt:lower():find(word, 1, true)
    while from do
      vim.hl.range(bufnr, namespace, 'SightlineListMatch', { line, start + from - 1 }, { line, start + to })
      from, to = excerpt:lower():find(word, to + 1, true)
    end
  end
end

---@param one sightline.Hit
---@param encoding string
---@return table<string, true>
local function matched_words(one, encoding)
  local words = {}
  for _, match in ipairs(hit.matches(one, encoding)) do
    if match.text ~= '' then
      words[match.text:lower()] = true
    end
  end
  return words
end

--- A line above a row that is not one itself, so that rows and hits have the same numbers.
---@param bufnr integer
---@param line integer from 0
---@param text string
---@param highlight string
local function heading(bufnr, line, text, highlight)
  vim.api.nvim_buf_set_extmark(bufnr, namespace, line, 0, {
    virt_lines = { { { text, highlight } } },
    virt_lines_above = true,
  })
end

--- Names each group of related code, and divides weak hits from the others.
---@param bufnr integer
---@param hits sightline.Hit[]
local function headings(bufnr, hits)
  -- Where all are weak the server says so in a note.
  local group, weak = nil, hits[1] and hits[1].weak
  for line, one in ipairs(hits) do
    if one.reason and one.reason ~= group then
      group = one.reason
      heading(bufnr, line - 1, GROUPS[group] or group, 'Title')
    elseif one.weak and not weak then
      weak = true
      heading(bufnr, line - 1, ('── %s '):format(WEAK) .. ('─'):rep(200), 'Comment')
    end
  end
end

--- Fills a buffer with one row for each hit.
---@param bufnr integer
---@param hits sightline.Hit[]
---@param width integer
---@param encoding string of positions, as the server counts
function M.fill(bufnr, hits, width, encoding)
  local whys, rows = reasons(hits), {}
  for line, one in ipairs(hits) do
    rows[line], whys[line] = parts(one, whys[line], width)
  end
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.tbl_map(text_of, rows))
  M.clear(bufnr)
  for line, row in ipairs(rows) do
    colour(bufnr, line - 1, row)
    mark(bufnr, line - 1, row, matched_words(hits[line], encoding))
    local options = { virt_text = { { whys[line], 'Comment' } }, virt_text_pos = 'right_align' }
    vim.api.nvim_buf_set_extmark(bufnr, namespace, line - 1, 0, options)
  end
  headings(bufnr, hits)
end

--- Shows a note of the server above the first row.
---@param bufnr integer
---@param text string
function M.note(bufnr, text) heading(bufnr, 0, hit.visible(text), 'DiagnosticInfo') end

--- The number of lines above the first row.
---@param bufnr integer
---@return integer
function M.lines_above(bufnr)
  local count = 0
  for _, extmark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, { 0, -1 }, { details = true })) do
    count = count + #(extmark[4].virt_lines or {})
  end
  return count
end

return M
