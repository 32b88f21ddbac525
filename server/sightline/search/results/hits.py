"""Converts ranked places to hits: lines, symbol, landing position, snippet, reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sightline.languages.table import LANGUAGES
from sightline.parsed_file import Symbol
from sightline.search.results import landing
from sightline.search.results.context import Span, show
from sightline.search.results.landing import Matcher
from sightline.search.results.place_facts import PlaceFacts
from sightline.search.results.readable import ReadableText
from sightline.search.symbol_rows import nearest_definition
from sightline.types import Context, Hit, MatchType, ReadSource, Selection, Snippet, SymbolInfo

NO_MATCHER = Matcher({})
# Several hits of an answer, and the answers while somebody types, are in the same few edited files.
_EDITED_TEXTS = 8


class Place(NamedTuple):
    """A copy of what a hit needs from the index, so that no lock is held; `name_at` is line and column."""

    path: str
    language: str
    span: Span
    enclosing: Span | None
    symbol: SymbolInfo | None
    name_at: tuple[int, int] | None
    digest: bytes
    score: float
    match: MatchType
    explain: Mapping[str, Any] | None = None
    reason: str = ""
    why: str = ""
    weak: bool = False
    matcher: Matcher = NO_MATCHER


def to_place(
    facts: PlaceFacts,
    score: float,
    match: MatchType,
    *,
    explain: Mapping[str, Any] | None = None,
    reason: str = "",
    why: str = "",
    weak: bool = False,
    matcher: Matcher = NO_MATCHER,
) -> Place:
    """A place with what a search has found out about it."""
    path, language, span, enclosing, symbol, name_at, digest, within = facts
    if within:
        why = f"in {within}, {why}" if why else f"in {within}"
    about = explain, reason, why, weak, matcher
    return Place(path, language, span, enclosing, symbol, name_at, digest, score, match, *about)


def _relocated(place: Place, text: str) -> Place:
    """The place in a text that differs from the indexed one: by its symbol, else at its old lines."""
    symbols = _definitions(text, place.language)
    near = nearest_definition(symbols, place.symbol, place.span[0])
    if near is not None:
        lines = place.span[1] - place.span[0]
        span = near.start_line, min(near.end_line, near.start_line + lines)
        name_at = near.name_line, near.name_column
        return place._replace(span=span, enclosing=(near.start_line, near.end_line), name_at=name_at)
    last = max(0, text.count("\n"))
    span = min(place.span[0], last), min(place.span[1], last)
    return place._replace(span=span, enclosing=_smallest_around(symbols, span), name_at=None)


@lru_cache(maxsize=_EDITED_TEXTS)
def _definitions(text: str, language: str) -> tuple[Symbol, ...]:
    """The definitions of a text that has changed since it was indexed."""
    # Imported only when needed; most searches do not use the parser.
    from sightline.indexing.parsing.parse_file import definitions_in

    return definitions_in(text, LANGUAGES[language])


def _smallest_around(symbols: Sequence[Symbol], span: Span) -> Span | None:
    spans = ((symbol.start_line, symbol.end_line) for symbol in symbols)
    around = (each for each in spans if each[0] <= span[0] and span[1] <= each[1])
    return min(around, key=lambda each: each[1] - each[0], default=None)


def _matching(place: Place, text: str, lines: Sequence[str]) -> Place:
    """The place; or, if the text changed, the nearest chunk that contains the text that must match."""
    if place.matcher.matches(lines, place.span):
        return place
    from sightline.indexing.parsing.parse_file import parse_text

    chunks = parse_text(text, LANGUAGES[place.language]).chunks
    spans = [(chunk.start_line, chunk.end_line) for chunk in chunks]
    fitting = [span for span in spans if place.matcher.matches(lines, span)]
    span = min(fitting, key=lambda each: abs(each[0] - place.span[0]), default=None)
    return place if span is None else place._replace(span=span, enclosing=None, symbol=None, name_at=None)


def _selection(place: Place, lines: Sequence[str]) -> Selection:
    """The text that must match, else the name of the place's symbol, else the line that matches best."""
    if place.matcher.patterns:
        matched = place.matcher.first_match(lines, place.span)
        if matched is not None:
            return matched
    if place.name_at is not None and place.symbol is not None:
        named = landing.on_name(lines, *place.name_at, place.symbol.name)
        if named is not None:
            return named
    return landing.on_best_line(lines, place.span, place.matcher)


def to_hit(folder: str, place: Place, read_source: ReadSource, context: Context) -> Hit:
    """The hit for a place, with its text from the editor if the file is open there, else from disk."""
    source, cell = read_source(place.path), None
    if source is None:
        line = place.name_at[0] if place.name_at else place.span[0]
        selection, shown, snippet = Selection(line, 0, 0, ""), place.span, Snippet("", place.span[0], True)
    else:
        if source.digest != place.digest:
            place = _relocated(place, source.text)
        readable = ReadableText.of(source, place.language)
        lines = readable.lines
        place = _matching(place, source.text, lines) if place.matcher.patterns else place
        selection = _selection(place, lines)
        mark = place.matcher.highlights
        shown, snippet = show(lines, place.span, place.enclosing, context, selection.line, mark)
        if readable.notebook is not None:
            selection = readable.in_file(selection)
            cell = readable.cell(selection)
    return Hit(
        folder=folder,
        path=place.path,
        language=place.language,
        start_line=place.span[0],
        end_line=place.span[1],
        score=place.score,
        match=place.match,
        symbol=place.symbol,
        context_start=shown[0],
        context_end=shown[1],
        snippet=snippet,
        explain=place.explain,
        reason=place.reason,
        selection=selection,
        why=place.why,
        weak=place.weak,
        cell=cell,
    )
