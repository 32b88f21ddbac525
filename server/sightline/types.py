"""The values shared between packages: what a search is asked, and its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from sightline.parsed_file import Symbol

MatchType = Literal["semantic", "keyword", "both"]
FolderState = Literal["opening", "indexing", "ready", "degraded", "failed"]
Mode = Literal["hybrid", "semantic", "keyword"]
# How much is shown around a hit: what encloses it, nothing, or N lines before and after.
Context = Literal["smart", "none"] | tuple[int, int]

MODES: tuple[Mode, ...] = ("hybrid", "semantic", "keyword")


class ScopeFiles(NamedTuple):
    """The files of a scope in one folder: the listed ones and, unless `below` is None, all files below it."""

    files: frozenset[str] = frozenset()
    below: str | None = None

    def has(self, path: str) -> bool:
        """Whether a file is in the scope; the folder itself is the empty path."""
        if path in self.files:
            return True
        return self.below is not None and path.startswith(f"{self.below}/" if self.below else "")


@dataclass(frozen=True, slots=True, eq=False)
class TextMatches:
    """The start lines of the chunks that contain a text, by path. No two are equal, so none is cached."""

    starts: Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy; globs are relative to the folder, an empty tuple matches anything.

    `scope` names scopes as they are typed, `-open` to exclude one; a search resolves them into `within` and
    `outside`. `matches` is what a search found of the exact texts and expressions in its query.
    """

    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    exclude_paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    name: str = ""
    scope: tuple[str, ...] = ()
    within: tuple[ScopeFiles, ...] = ()
    outside: tuple[ScopeFiles, ...] = ()
    matches: TextMatches | None = None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One search, as the protocol describes it; None means the setting decides."""

    query: str
    limit: int = 10
    offset: int = 0
    mode: Mode | None = None
    filters: Filters = field(default_factory=Filters)
    min_score: float | None = None
    one_per_file: bool | None = None
    context: Context = "smart"
    explain: bool = False


# What an answer is made of are tuples: a frozen dataclass takes two or three times as long to make.
class SymbolInfo(NamedTuple):
    """The symbol that contains a hit."""

    name: str
    kind: str
    container: str
    signature: str

    @property
    def qualified(self) -> str:
        """The name with its container."""
        return f"{self.container}.{self.name}" if self.container else self.name


@dataclass(frozen=True)
class Source:
    """A file's current text, with the digest that shows whether it is the text that was indexed."""

    text: str
    digest: bytes

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text; split once for all that read them."""
        # Imported here: the server answers its first request without the rules for words.
        from sightline.words import lines_of

        return lines_of(self.text)


# A file's text by its path relative to the folder; None if there is none.
ReadSource: TypeAlias = Callable[[str], Source | None]


class Highlight(NamedTuple):
    """A matched range of a snippet: its 0-based line in the snippet, and columns in code points."""

    line: int
    start: int
    end: int


class Snippet(NamedTuple):
    """The text shown for a hit; `start_line` is 0-based."""

    text: str
    start_line: int
    truncated: bool
    highlights: tuple[Highlight, ...] = ()


class Selection(NamedTuple):
    """What to select when a hit is opened: a range in a line, columns in code points; `text` is the line."""

    line: int
    start: int
    end: int
    text: str


class Hit(NamedTuple):
    """One result: a location, why it was found, and what to show of it."""

    folder: str
    path: str
    language: str
    start_line: int
    end_line: int
    score: float
    match: MatchType
    symbol: SymbolInfo | None
    context_start: int
    context_end: int
    snippet: Snippet
    explain: Mapping[str, Any] | None = None
    reason: str = ""
    confidence: str = ""
    selection: Selection | None = None
    why: str = ""
    weak: bool = False
    # In a notebook, the index of the cell, from 0.
    cell: int | None = None

    @property
    def line(self) -> int:
        """The landing line, from 0."""
        return self.selection.line if self.selection else self.start_line


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the workspace was indexed when an answer was made."""

    state: Literal["ready", "indexing", "degraded"]
    files_indexed: int
    files_total: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page of hits, and how they were found."""

    hits: tuple[Hit, ...]
    total: int
    took_ms: float
    cached: bool
    coverage: Coverage
    confidence: float = 1.0
    note: str = ""


@dataclass(frozen=True, slots=True)
class SymbolHit:
    """A definition found by name."""

    folder: str
    path: str
    language: str
    symbol: Symbol
    score: float


@dataclass(frozen=True, slots=True)
class CallSite:
    """Where something is called; columns count code points."""

    path: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Calls:
    """A definition at one end of some calls, and the locations of the calls."""

    symbol: SymbolHit
    sites: tuple[CallSite, ...]


@dataclass(frozen=True, slots=True)
class FolderStatus:
    """The status of one folder's index, as status answers show it."""

    root: str
    state: FolderState
    files_indexed: int
    files_total: int
    chunks: int
    chunks_embedded: int
    generation: int
    model: str
    parse: Mapping[str, int]
    skipped: Mapping[str, int]
    disk_bytes: int
    writer: bool
    languages: Mapping[str, int] = field(default_factory=dict)
    last_error: str = ""
    notes: tuple[str, ...] = ()
