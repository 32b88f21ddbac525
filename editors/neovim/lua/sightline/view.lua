local preview = require('sightline.preview')
local rows = require('sightline.rows')

local M = {}

local namespace = vim.api.nvim_create_namespace('sightline.view')
local PREVIEW_MIN_COLUMNS = 100

---@class sightline.View
---@field encoding string of positions, as the server counts
---@field prompt_buf integer
---@field prompt_win integer
---@field list_buf integer
---@field list_win integer
---@field preview_win? integer
local View = {}
View.__index = View

---@class sightline.Box
---@field row integer
---@field col integer
---@field width integer
---@field height integer

--- The prompt is above the list, the preview at the right of both if the screen is wide enough.
---@return { prompt: sightline.Box, list: sightline.Box, preview?: sightline.Box }
local function layout()
  local columns, lines = vim.o.columns, vim.o.lines - vim.o.cmdheight
  local width, height = math.floor(columns * 0.9), math.floor(lines * 0.8)
  local row, col = math.floor((lines - height) / 2), math.floor((columns - width) / 2)
  local wide = columns >= PREVIEW_MIN_COLUMNS
  local left = (wide and math.floor(width / 2) or width) - 2
  local boxes = {
    prompt = { row = row, col = col, width = left, height = 1 },
    list = { row = row + 3, col = col, width = left, height = math.max(height - 5, 1) },
  }
  if wide then
    boxes.preview = { row = row, col = col + left + 2, width = width - left - 4, height = math.max(height - 2, 1) }
  end
  return boxes
end

---@param box sightline.Box
---@param enter boolean
---@param title? string
---@return integer bufnr
---@return integer win
local function float(box, enter, title)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  local win = vim.api.nvim_open_win(bufnr, enter, {
    relative = 'editor',
    style = 'minimal',
    border = 'rounded',
    title = title,
    row = box.row,
    col = box.col,
    width = box.width,
    height = box.height,
  })
  return bufnr, win
end

---@param title string
---@param encoding string
---@return sightline.View
function M.open(title, encoding)
  local boxes = layout()
  local self = setmetatable({ encoding = encoding }, View)
  if boxes.preview then
    local _, win = float(boxes.preview, false)
    self.preview_win = win
  end
  self.list_buf, self.list_win = float(boxes.list, false)
  vim.wo[self.list_win].linebreak = true
  self.prompt_buf, self.prompt_win = float(boxes.prompt, true, ' ' .. title .. ' ')
  vim.bo[self.prompt_buf].filetype = 'sightline-prompt'
  vim.bo[self.prompt_buf].completeopt = 'menu,menuone,longest'
  vim.cmd.startinsert()
  return self
end

---@return boolean
function View:is_open() return vim.api.nvim_win_is_valid(self.prompt_win) end

---@return string
function View:prompt() return vim.api.nvim_buf_get_lines(self.prompt_buf, 0, 1, false)[1] or '' end

---@param text string
function View:set_prompt(text)
  vim.api.nvim_buf_set_lines(self.prompt_buf, 0, -1, false, { text })
  vim.api.nvim_win_set_cursor(self.prompt_win, { 1, #text })
end

---@param text string
function View:footer(text)
  local footer = text ~= '' and ' ' .. text .. ' ' or ''
  vim.api.nvim_win_set_config(self.list_win, { footer = footer, footer_pos = 'right' })
end

--- Shows a message instead of a list: what to do, what went wrong.
---@param lines string[]
---@param highlight? string
function View:message(lines, highlight)
  rows.clear(self.list_buf)
  vim.api.nvim_buf_set_lines(self.list_buf, 0, -1, false, vim.split(table.concat(lines, '\n'), '\n'))
  vim.wo[self.list_win].cursorline, vim.wo[self.list_win].wrap = false, true
  local last = vim.api.nvim_buf_line_count(self.list_buf)
  vim.hl.range(self.list_buf, namespace, highlight or 'Comment', { 0, 0 }, { last, 0 })
  if self.preview_win then
    preview.clear(self.preview_win)
  end
end

---@param hits sightline.Hit[]
---@param note? string shown above the first row
function View:list(hits, note)
  vim.api.nvim_buf_clear_namespace(self.list_buf, namespace, 0, -1)
  rows.fill(self.list_buf, hits, vim.api.nvim_win_get_width(self.list_win), self.encoding)
  if note then
    rows.note(self.list_buf, note)
  end
  vim.wo[self.list_win].cursorline, vim.wo[self.list_win].wrap = true, false
end

---@param row integer
---@param chosen sightline.Hit
function View:select(row, chosen)
  vim.api.nvim_win_set_cursor(self.list_win, { row, 0 })
  -- A heading above the first line is not visible until the window is scrolled to it.
  if row == 1 then
    local above = rows.lines_above(self.list_buf)
    vim.api.nvim_win_call(self.list_win, function() vim.fn.winrestview({ topline = 1, topfill = above }) end)
  end
  if self.preview_win then
    preview.show(self.preview_win, chosen, self.encoding)
  end
end

--- Fits the windows to a terminal of another size; a preview without room for it is closed.
function View:resize()
  local boxes = layout()
  if self.preview_win and not boxes.preview then
    vim.api.nvim_win_close(self.preview_win, true)
    self.preview_win = nil
  end
  for name, box in pairs(boxes) do
    local win = self[name .. '_win']
    if win then
      vim.api.nvim_win_set_config(win, vim.tbl_extend('error', { relative = 'editor' }, box))
    end
  end
end

function View:close()
  vim.cmd.stopinsert()
  for _, win in ipairs({ self.prompt_win, self.list_win, self.preview_win }) do
    if win and vim.api.nvim_win_is_valid(win) then
      vim.api.nvim_win_close(win, true)
    end
  end
end

return M
