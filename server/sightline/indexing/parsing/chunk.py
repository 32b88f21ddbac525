"""Turns pieces into chunks: joins small neighbours, and names each chunk after what it defines."""

from __future__ import annotations

import re
from bisect import bisect_left

from sightline.indexing.parsing.captures import Captures, Definition, Span
from sightline.indexing.parsing.nesting import innermost
from sightline.indexing.parsing.pieces import MAX_BYTES, TARGET_BYTES, Piece
from sightline.indexing.parsing.source_text import QUOTES, Text
from sightline.parsed_file import Chunk

# A definition of this size is a chunk of its own; smaller ones share one with their neighbours.
_OWN_WEIGHT = 400
# A piece this small means little alone (`namespace x {`, one import): it is joined to the next one.
_TINY = 120
# A piece this small between definitions is joined to the one before it.
_REST = 60
_MAX_NAMES = 40
# Kinds that only contain others: a chunk is preferably named after what is in them.
_WRAPPERS = frozenset({"namespace", "module", "impl"})
# What a chunk with several definitions is named after: a function rather than a larger constant.
_WEIGHTS = {
    "namespace": 0.01,
    "block": 0.5,
    "constant": 0.25,
    "variable": 0.25,
    "field": 0.25,
    "property": 0.25,
}
_WORD = re.compile(rb"[\w\x80-\xff]")


def join(pieces: list[Piece], source: bytes) -> list[Span]:
    """Join small neighbours of one parent up to about the size of a chunk."""
    spans: list[Span] = []
    current: Piece | None = None
    for piece in pieces:
        if current is None:
            current = Piece(piece.start, piece.end, piece.parent, piece.whole)
        elif _belongs(current, piece, source):
            _grow(current, piece)
        else:
            spans.append((current.start, current.end))
            current = Piece(piece.start, piece.end, piece.parent, piece.whole)
    if current is not None:
        spans.append((current.start, current.end))
    return spans


def _belongs(current: Piece, piece: Piece, source: bytes) -> bool:
    total = piece.end - current.start
    if _is_closing(piece, source):
        return total <= 2 * TARGET_BYTES
    if current.end - current.start < _TINY:
        return total <= MAX_BYTES
    return total <= TARGET_BYTES and current.parent == piece.parent and _light(current) and _light(piece)


def _is_closing(piece: Piece, source: bytes) -> bool:
    """Whether a piece only closes what came before: a closing brace, an `#endif`, one short statement."""
    if piece.whole >= 0 or piece.opens:
        return False
    return piece.end - piece.start < _REST or not _WORD.search(source, piece.start, piece.end)


def _light(piece: Piece) -> bool:
    return piece.whole < 0 or piece.end - piece.start < _OWN_WEIGHT


def _grow(current: Piece, piece: Piece) -> None:
    if current.end - current.start < _TINY:
        current.parent, current.whole = piece.parent, piece.whole
    elif _light(current):
        current.whole = -1
    current.end = piece.end


class Labeller:
    """Turns spans into chunks with what they define, call and import, and how often they branch."""

    def __init__(self, text: Text, definitions: list[Definition], found: Captures, plain: str) -> None:
        self.text = text
        self.plain = plain
        self.definitions = definitions
        self.starts = [definition.start for definition in definitions]
        self.named = sorted((definition.name_start, index) for index, definition in enumerate(definitions))
        self.calls = _Names(found.calls, text)
        self.imports = _Names(found.imports, text)
        self.branches = [start for start, _ in found.branches]

    def chunk(self, start: int, end: int) -> Chunk:
        """The chunk of a range of bytes."""
        definition, defines = self._subject(start, end)
        text = self.text
        last = start + len(text.source[start:end].rstrip()) - 1
        return Chunk(
            text.decoded(start, end),
            start,
            end,
            text.line(start),
            text.line(max(start, last)),
            *self._names(definition),
            defines,
            self.calls.between(start, end),
            self.imports.between(start, end),
            bisect_left(self.branches, end) - bisect_left(self.branches, start),
        )

    def _names(self, definition: Definition | None) -> tuple[str, str, str, str, str]:
        """The kind, symbol, container, signature and documentation of a chunk."""
        if definition is None:
            return self.plain, "", "", "", ""
        kind, name, container = definition.kind, definition.name, definition.container
        return kind, name, container, definition.signature, definition.doc

    def _subject(self, start: int, end: int) -> tuple[Definition | None, bool]:
        """The subject of a chunk: the most important definition named in it, else the one around it."""
        low = bisect_left(self.named, (start, -1))
        inside = [index for _, index in self.named[low : bisect_left(self.named, (end, -1))]]
        if inside:
            return self.definitions[self._weightiest(inside, end)], True
        index = innermost(self.definitions, self.starts, start)
        around = self.definitions[index] if index >= 0 else None
        return (None if around and around.kind == "namespace" else around), False

    def _weightiest(self, inside: list[int], end: int) -> int:
        weights: dict[int, int] = {}
        for index in inside:
            definition = self.definitions[index]
            size = min(definition.end, end) - definition.start
            weights[index] = int(size * _WEIGHTS.get(definition.kind, 1))
            # If a container continues in other chunks, only its head counts here.
            parent = self.definitions[definition.parent]
            if definition.parent in weights and parent.kind in _WRAPPERS and parent.end > end:
                weights[definition.parent] -= size
        return max(inside, key=weights.__getitem__)


class _Names:
    """Names and their positions in a text."""

    def __init__(self, spans: list[Span], text: Text) -> None:
        self._spans = spans
        self._text = text

    def between(self, start: int, end: int) -> tuple[str, ...]:
        """The first distinct names that start in a range of bytes."""
        decoded, spans = self._text.decoded, self._spans
        low, high = bisect_left(spans, (start, 0)), bisect_left(spans, (end, 0))
        if low == high:
            return ()
        names = dict.fromkeys([decoded(*span).strip(QUOTES) for span in spans[low:high]])
        return tuple(names)[:_MAX_NAMES]
