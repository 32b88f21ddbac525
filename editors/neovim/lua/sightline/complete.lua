local status = require('sightline.status')
local vocabulary = require('sightline.vocabulary')

local M = {}

local FILTERS = { 'lang:', 'path:', '-path:', 'kind:', 'name:', 'in:', '-in:', 're:/', '"' }
local SCOPES = { 'changed', 'open', 'here' }

--- The languages of the project first, the most used one at the top.
---@param client? vim.lsp.Client
---@return string[]
local function languages(client)
  local files = client and status.languages(client.id) or {}
  local ordered = vim.deepcopy(vocabulary.languages)
  table.sort(ordered, function(a, b)
    local of_a, of_b = files[a] or 0, files[b] or 0
    return of_a > of_b or of_a == of_b and a < b
  end)
  return ordered
end

--- Files and folders of the project whose path begins with the text; a glob is not completed.
---@param client? vim.lsp.Client
---@param text string
---@return string[]
local function paths(client, text)
  if not client or not client.root_dir or text:find('[*?%[{"]') then
    return {}
  end
  local prefix = client.root_dir .. '/'
  return vim.tbl_map(function(path) return path:sub(#prefix + 1) end, vim.fn.getcompletion(prefix .. text, 'file'))
end

---@param filter string such as "lang:"
---@param text string the text after it
---@param client? vim.lsp.Client
---@return string[]
local function values(filter, text, client)
  if filter == 'lang:' then
    return languages(client)
  elseif filter == 'kind:' then
    return vocabulary.kinds
  elseif filter:match('^%-?in:$') then
    return SCOPES
  elseif filter:match('^%-?path:$') then
    return paths(client, text)
  end
  return {}
end

--- What the last word of a query can become: a filter, or a value of the filter it begins with.
---@param word string
---@param client? vim.lsp.Client
---@return string[]
function M.candidates(word, client)
  local filter, text = word:match('^(%-?%a+:)(.*)$')
  local candidates = FILTERS
  if filter and not vim.startswith('re:/', word) then
    -- lang: and kind: take a list; its last value is completed.
    local before = text:match('^.*,') or ''
    candidates = vim.tbl_map(
      function(value) return filter .. before .. value end,
      values(filter, text:sub(#before + 1), client)
    )
  end
  return vim.tbl_filter(
    function(candidate) return candidate ~= word and vim.startswith(candidate, word) end,
    candidates
  )
end

--- The query without a filter whose value is still to be typed, which the server would refuse.
---@param text string
---@return string
function M.without_unfinished(text)
  local query = vim.trim(text)
  local before, last = query:match('^(.-)(%S+)$')
  local unfinished = last
    and (
      last:match('^%-?path:$')
      or last:match('^%-?in:$')
      or vim.list_contains({ 'lang:', 'kind:', 'name:', 're:' }, last)
    )
  if unfinished then
    return vim.trim(before)
  end
  -- A regular expression is searched for when its closing slash is there.
  local head, expression = query:match('^(.-)re:/(.*)$')
  if head and not expression:gsub('\\.', ''):find('/', 1, true) and (head == '' or head:match('%s$')) then
    return vim.trim(head)
  end
  return query
end

return M
