"""From ranked places to what is shown of them: lines, symbol, snippet, reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sightline.indexing.parse import definitions_in
from sightline.languages.table import LANGUAGES
from sightline.search.context import Span, show
from sightline.stores.image import Image
from sightline.stores.records import ChunkDetails
from sightline.types import Context, Hit, MatchType, Snippet, Source, Symbol, SymbolInfo
from sightline.words import lines_of

# A file by its path, as the editor has it or as it is on disk; None if it is gone.
ReadSource = Callable[[str], Source | None]


@dataclass(frozen=True, slots=True)
class Place:
    """A chunk, or a definition in it, taken out of the image so that it can be shown without holding it."""

    slot: int
    path: str
    language: str
    span: Span
    enclosing: Span | None
    symbol: SymbolInfo | None
    digest: bytes
    score: float
    match: MatchType
    explain: Mapping[str, Any] | None = None
    reason: str = ""


def enclosing_symbol(image: Image, file: int, span: Span) -> int | None:
    """The row of the smallest symbol of a file that holds the lines."""
    rows = image.symbols.of_file(file)
    columns = image.symbols.columns
    starts = columns["start_line"][rows.start : rows.stop]
    ends = columns["end_line"][rows.start : rows.stop]
    around = np.flatnonzero((starts <= span[0]) & (ends >= span[1]))
    if not len(around):
        return None
    return rows.start + int(around[np.argmin((ends - starts)[around])])


def _symbol_info(image: Image, slot: int, row: int | None, signature: str) -> SymbolInfo | None:
    if row is not None:
        symbols = image.symbols
        same = symbols.name(row) == image.symbol(slot)
        return SymbolInfo(
            symbols.name(row), symbols.kind(row), symbols.container(row), signature if same else ""
        )
    name = image.symbol(slot)
    return SymbolInfo(name, image.kind(slot), image.container(slot), signature) if name else None


def take(
    image: Image,
    slot: int,
    row: int | None,
    score: float,
    match: MatchType,
    details: ChunkDetails | None,
    explain: Mapping[str, Any] | None = None,
    reason: str = "",
) -> Place:
    """Read a place out of the image; `row` is the symbol that is meant, if it is a certain one."""
    file = image.file_of(slot)
    number = int(image.rows["file"][slot])
    span = (int(image.rows["start_line"][slot]), int(image.rows["end_line"][slot]))
    if row is not None:
        columns = image.symbols.columns
        span = (
            int(columns["start_line"][row]),
            min(int(columns["end_line"][row]), max(span[1], int(columns["start_line"][row]))),
        )
    around = enclosing_symbol(image, number, span)
    columns = image.symbols.columns
    enclosing = (
        None if around is None else (int(columns["start_line"][around]), int(columns["end_line"][around]))
    )
    return Place(
        slot,
        file.path,
        file.language,
        span,
        enclosing,
        _symbol_info(image, slot, row, details.signature if details else ""),
        details.digest if details else _digest_of_file(image, file.path),
        score,
        match,
        explain,
        reason,
    )


def _digest_of_file(image: Image, path: str) -> bytes:
    """For a chunk that went with a save which the image is just taking in: the next answer has it right."""
    state = image.catalog.file(path)
    return state.digest if state else b""


def _relocated(place: Place, text: str) -> tuple[Span, Span | None]:
    """Where a place is in a text that is not the indexed one: by its symbol, else where it was."""
    symbols = definitions_in(text, LANGUAGES[place.language])
    same = [symbol for symbol in symbols if place.symbol is not None and _is_same(symbol, place.symbol)]
    if same:
        near = min(same, key=lambda symbol: abs(symbol.start_line - place.span[0]))
        lines = place.span[1] - place.span[0]
        span = near.start_line, min(near.end_line, near.start_line + lines)
        return span, (near.start_line, near.end_line)
    last = max(0, text.count("\n"))
    span = min(place.span[0], last), min(place.span[1], last)
    return span, _smallest_around(symbols, span)


def _is_same(symbol: Symbol, known: SymbolInfo) -> bool:
    return symbol.name == known.name and symbol.container == known.container


def _smallest_around(symbols: Sequence[Symbol], span: Span) -> Span | None:
    spans = ((symbol.start_line, symbol.end_line) for symbol in symbols)
    around = (each for each in spans if each[0] <= span[0] and span[1] <= each[1])
    return min(around, key=lambda each: each[1] - each[0], default=None)


def to_hit(folder: str, place: Place, read_source: ReadSource, context: Context) -> Hit:
    """The hit of a place, with its text as the editor has it or as it is on disk."""
    source = read_source(place.path)
    span, enclosing = place.span, place.enclosing
    if source is None:
        shown, snippet = span, Snippet("", span[0], True)
    else:
        if source.digest != place.digest:
            span, enclosing = _relocated(place, source.text)
        shown, snippet = show(lines_of(source.text), span, enclosing, context)
    return Hit(
        folder=folder,
        path=place.path,
        language=place.language,
        start_line=span[0],
        end_line=span[1],
        score=place.score,
        match=place.match,
        symbol=place.symbol,
        context_start=shown[0],
        context_end=shown[1],
        snippet=snippet,
        explain=place.explain,
        reason=place.reason,
    )
