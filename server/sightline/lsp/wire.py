"""The types of Sightline's own messages, as in JSON; docs/protocol.md explains each field."""

from __future__ import annotations

from typing import Any, TypedDict

SEMANTIC_SEARCH = "workspace/semanticSearch"
INDEX_STATUS = "workspace/indexStatus"
RELATED = "textDocument/related"
CALL_TOOL = "workspace/sightlineTool"
STATUS_CHANGED = "$/sightline/statusChanged"


class WirePosition(TypedDict):
    """A position in a document, in the negotiated encoding."""

    line: int
    character: int


class WireRange(TypedDict):
    """A range in a document; the end is exclusive."""

    start: WirePosition
    end: WirePosition


class _WireSymbol(TypedDict):
    name: str
    kind: str
    signature: str


class WireSymbol(_WireSymbol, total=False):
    """The definition that contains a hit."""

    container: str


class _WireSnippet(TypedDict):
    text: str
    startLine: int
    truncated: bool


class WireSnippet(_WireSnippet, total=False):
    """The text to show for a hit; the highlights count lines from its first line."""

    highlights: list[WireRange]


class _WireHit(TypedDict):
    uri: str
    range: WireRange
    folder: str
    path: str
    language: str
    score: float
    match: str
    contextRange: WireRange
    snippet: WireSnippet


class WireHit(_WireHit, total=False):
    """One hit of a search, or of related, with its reason."""

    symbol: WireSymbol
    selectionRange: WireRange
    cell: int
    why: str
    weak: bool
    explain: dict[str, Any]
    reason: str
    confidence: str


class _WireCoverage(TypedDict):
    state: str
    filesIndexed: int
    filesTotal: int


class WireCoverage(_WireCoverage, total=False):
    """How much of the workspace an answer covers."""

    reason: str


class _WireSearchResult(TypedDict):
    results: list[WireHit]
    total: int
    tookMs: float
    cached: bool
    confidence: float
    coverage: WireCoverage


class WireSearchResult(_WireSearchResult, total=False):
    """The answer to workspace/semanticSearch."""

    note: str


class WireHits(TypedDict):
    """The answer to textDocument/related, and the value of a partial result."""

    results: list[WireHit]


class _WireFolder(TypedDict):
    uri: str
    state: str
    filesIndexed: int
    filesTotal: int
    chunks: int
    chunksEmbedded: int
    generation: int
    model: str
    parse: dict[str, int]
    languages: dict[str, int]
    skipped: dict[str, int]
    diskBytes: int
    writer: bool
    notes: list[str]


class WireFolder(_WireFolder, total=False):
    """The state of one folder's index."""

    lastError: str


class WireStatus(TypedDict):
    """The answer to workspace/indexStatus and the params of statusChanged."""

    folders: list[WireFolder]
    version: str


class WireToolAnswer(TypedDict):
    """The answer to workspace/sightlineTool."""

    text: str
