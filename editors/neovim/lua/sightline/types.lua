---@meta

--- The messages of the server, as docs/protocol.md describes them.

---@class sightline.Filters
---@field languages? string[]
---@field paths? string[] globs relative to the folder
---@field excludePaths? string[]
---@field kinds? string[]
---@field name? string

---@class sightline.SearchParams
---@field query string
---@field limit? integer
---@field offset? integer
---@field mode? 'hybrid'|'semantic'|'keyword'
---@field filters? sightline.Filters
---@field folders? string[]
---@field minScore? number
---@field onePerFile? boolean
---@field context? 'smart'|'none'|{ before: integer, after: integer }
---@field explain? boolean
---@field currentDocument? string URI of the buffer that in:here is about

---@class sightline.Symbol
---@field name string
---@field kind string
---@field container? string
---@field signature string

---@class sightline.Snippet
---@field text string
---@field startLine integer
---@field truncated boolean
---@field highlights? lsp.Range[] the matched words; lines count from the first line of text

---@class sightline.Hit
---@field uri string
---@field range lsp.Range
---@field folder string
---@field path string
---@field language string
---@field score number
---@field match 'semantic'|'keyword'|'both'
---@field symbol? sightline.Symbol
---@field contextRange lsp.Range
---@field snippet sightline.Snippet
---@field selectionRange? lsp.Range where to land, inside one line of the range
---@field cell? integer of a notebook, from 0
---@field why? string why this place is among the answers
---@field weak? boolean a place that only fills the page
---@field reason? string only in answers of textDocument/related
---@field confidence? 'resolved'|'likely' only there too

---@class sightline.Coverage
---@field state 'ready'|'indexing'|'degraded'
---@field filesIndexed integer
---@field filesTotal integer
---@field reason? string

---@class sightline.SearchResult
---@field results sightline.Hit[]
---@field total integer
---@field tookMs number
---@field cached boolean
---@field confidence number
---@field note? string
---@field coverage sightline.Coverage

---@class sightline.FolderStatus
---@field uri string
---@field state 'opening'|'indexing'|'ready'|'degraded'|'failed'
---@field filesIndexed integer
---@field filesTotal integer
---@field chunks integer
---@field chunksEmbedded integer
---@field generation integer
---@field model string
---@field parse { ok: integer, partial: integer, error: integer, no_grammar: integer }
---@field languages table<string, integer> files by language id
---@field skipped table<string, integer> files left out, by reason
---@field diskBytes integer
---@field writer boolean false while another window writes this folder's index
---@field notes string[]
---@field lastError? string

---@class sightline.Status
---@field folders sightline.FolderStatus[]
---@field version string

--- Values passed between the modules of this plugin.

---@class sightline.Session
---@field client vim.lsp.Client
---@field search fun(query: string, on_done: sightline.OnResult): fun() returns how to cancel
---@field is_ready fun(): boolean whether the project is indexed

---@alias sightline.OnResult fun(result: sightline.SearchResult?, problem: string?)

---@class sightline.Picker
---@field pick fun(title: string, hits: sightline.Hit[], client: vim.lsp.Client) shows given hits
---@field live fun(session: sightline.Session, query?: string) searches while the user types
---@field resume fun() opens the last list again

---@alias sightline.How 'edit'|'split'|'vsplit'|'tab'
