"""The parts of a parsed file; apart from the results of searches, which parser processes do without."""

from __future__ import annotations

from typing import Literal, NamedTuple

ParseStatus = Literal["ok", "partial", "error", "no_grammar"]

PARSE_STATUSES: tuple[ParseStatus, ...] = ("ok", "partial", "error", "no_grammar")


class Chunk(NamedTuple):
    """One piece of a file; lines are 0-based and inclusive, bytes are of the UTF-8 text."""

    text: str
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    kind: str = "text"
    symbol: str = ""
    container: str = ""
    signature: str = ""
    doc: str = ""
    defines: bool = False
    calls: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    branches: int = 0


class Symbol(NamedTuple):
    """A named definition; columns count code points, `chunk` is the ordinal of the chunk it starts in."""

    name: str
    kind: str
    container: str
    signature: str
    start_line: int
    end_line: int
    name_line: int
    name_column: int
    chunk: int


class ParsedFile(NamedTuple):
    """What the parser made of one file; `facts` are packed as `relations.facts` reads them."""

    language: str
    status: ParseStatus
    chunks: tuple[Chunk, ...]
    symbols: tuple[Symbol, ...]
    facts: str = ""
