"""How a definition or a call is shown: its lines, its symbol and the relevant line."""

from __future__ import annotations

from dataclasses import dataclass

from sightline.indexing.parsing.parse_file import definitions_in
from sightline.languages.table import LANGUAGES
from sightline.search.results.context import MAX_CHARACTERS, Span, window
from sightline.search.results.readable import ReadableText
from sightline.search.symbol_rows import nearest_definition, symbol_info
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import Highlight, Hit, ReadSource, Selection, Snippet, SymbolInfo


@dataclass(frozen=True, slots=True)
class Mention:
    """A place to show: a definition, or a line inside it that names something."""

    path: str
    language: str
    span: Span
    line: int
    column: int
    name: str
    symbol: SymbolInfo | None
    digest: bytes
    reason: str
    confidence: str
    score: float
    why: str = ""


def mention(
    memory: MemoryIndex,
    file: int,
    row: int | None,
    reason: str,
    *,
    at: tuple[int, int, str] | None = None,
    confidence: str = "resolved",
    score: float = 1.0,
    why: str = "",
) -> Mention:
    """A definition, or the place `at` (line, column, name) inside it; without a row, a line of the file."""
    entry, symbols = memory.files[file], memory.symbols
    symbol, span = None, (at[0], at[0]) if at else (0, 0)
    if row is not None:
        span, symbol = symbols.span(row), symbol_info(memory, row)
        at = at or (*symbols.name_at(row), symbol.name)
    line, column, name = at or (0, 0, "")
    return Mention(
        entry.path,
        entry.language,
        span,
        line,
        column,
        name,
        symbol,
        entry.digest,
        reason,
        confidence,
        score,
        why,
    )


def to_hit(folder: str, place: Mention, read_source: ReadSource) -> Hit:
    """The hit for a mention, with its line from the editor if the file is open there, else from disk."""
    source = read_source(place.path)
    span, line = place.span, place.line
    text, shown_text, cell = "", "", None
    if source is not None:
        lines = source.lines
        if source.digest != place.digest:
            span, line = _relocated(place, source.text, lines)
        line = min(line, max(0, len(lines) - 1))
        text = shown_text = lines[line] if lines else ""
        readable = ReadableText.of(source, place.language)
        if readable.notebook is not None:
            shown_text, cell = readable.lines[line], readable.cell(Selection(line, place.column, 0, text))
    shown = window(span, (line, line))
    # The index may be older than the text: then search the line for the name.
    start = _name_start(text, place)
    return Hit(
        folder=folder,
        path=place.path,
        language=place.language,
        start_line=span[0],
        end_line=span[1],
        score=place.score,
        match="keyword",
        symbol=place.symbol,
        context_start=shown[0],
        context_end=shown[1],
        snippet=_snippet(shown_text, line, place, truncated=span != (line, line)),
        selection=Selection(line, start, start + len(place.name), text) if text else None,
        why=place.why,
        reason=place.reason,
        confidence=place.confidence,
        cell=cell,
    )


def _name_start(text: str, place: Mention) -> int:
    return place.column if text[place.column :].startswith(place.name) else max(0, text.find(place.name))


def _snippet(text: str, line: int, place: Mention, *, truncated: bool) -> Snippet:
    start = _name_start(text, place)
    end = min(start + len(place.name), MAX_CHARACTERS)
    highlights = (Highlight(0, start, end),) if start < end else ()
    return Snippet(text[:MAX_CHARACTERS], line, truncated, highlights)


def _relocated(place: Mention, text: str, lines: list[str]) -> tuple[Span, int]:
    """Find a place in a text that differs from the indexed one: by its definition, then by the name in it."""
    last = max(0, len(lines) - 1)
    span = min(place.span[0], last), min(place.span[1], last)
    symbols = definitions_in(text, LANGUAGES[place.language]) if place.symbol else ()
    near = nearest_definition(symbols, place.symbol, place.span[0])
    if near is not None:
        span = near.start_line, near.end_line
    expected = span[0] + place.line - place.span[0]
    naming = [line for line in range(span[0], min(span[1], last) + 1) if place.name in lines[line]]
    line = min(naming, key=lambda each: abs(each - expected), default=span[0])
    return span, line
