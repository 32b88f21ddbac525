"""Maps a chunk to its place, and a place to its definition."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sightline.arrays import Integers
from sightline.search.ranking.definitions import FUNCTIONS
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.words import name_stems

Span = tuple[int, int]

_WHOLE = FUNCTIONS | {"test"}
# A longer definition is shown in pieces: as one place it would not say where to look.
_MOST_LINES = 150
_HALF = 32
# A chunk with more names is a table of values; its first names represent it.
_MOST_NAMES = 60


def whole_definition(memory: MemoryIndex, slot: int) -> int | None:
    """The symbol row of the function that a chunk is a piece of, None if the chunk is a place of its own."""
    if memory.kind(slot) not in _WHOLE:
        return None
    rows, columns = memory.symbols.of_file(int(memory.rows["file"][slot])), memory.symbols.columns
    same = (columns["name"][rows.start : rows.stop] == memory.rows["symbol"][slot]).nonzero()[0]
    first, last = memory.span(slot)
    found, begin, end = -1, -1, -1
    # There are one or two: a loop is faster than arrays.
    for row in (rows.start + same).tolist():
        start, stop = memory.symbols.span(row)
        if start <= last and stop >= first and start > begin:
            found, begin, end = row, start, stop
    inside = first <= begin and end <= last
    return None if found < 0 or inside or end - begin > _MOST_LINES else found


def place_keys(memory: MemoryIndex, slots: Integers) -> Integers:
    """A key for each chunk, equal for the chunks of one place, such as two pieces of a function."""
    keys: Integers = slots.copy()
    files, symbols = memory.rows["file"][slots], memory.rows["symbol"][slots]
    named = (files.astype(np.int64) << _HALF) | symbols
    _, owner, counts = np.unique(named, return_inverse=True, return_counts=True)
    # Only chunks of one file with the same name can be pieces of one function.
    for at in np.flatnonzero(counts[owner] > 1):
        row = whole_definition(memory, int(slots[at]))
        keys[at] = slots[at] if row is None else -1 - row
    return keys


def label(
    memory: MemoryIndex, slot: int, defined: int | None, terms: Mapping[str, float]
) -> tuple[int | None, Span]:
    """The symbol row that names a chunk's place, and the lines of the place.

    It is named after the definition `defined`, else after the function it is a piece of, else after the
    definition in it whose name covers most of the query; None if no definition is named in it.
    """
    whole = whole_definition(memory, slot)
    span = memory.span(slot) if whole is None else memory.symbols.span(whole)
    if defined is not None:
        first, last = memory.symbols.span(defined)
        return defined, (first, min(last, max(span[1], first)))
    return (_named_inside(memory, slot, span, terms) if whole is None else whole), span


def _named_inside(memory: MemoryIndex, slot: int, span: Span, terms: Mapping[str, float]) -> int | None:
    rows, columns = memory.symbols.of_file(int(memory.rows["file"][slot])), memory.symbols.columns
    lines = columns["name_line"][rows.start : rows.stop]
    inside = np.flatnonzero((lines >= span[0]) & (lines <= span[1]))[:_MOST_NAMES]
    if not len(inside):
        return None
    codes: list[int] = columns["name"][rows.start + inside].tolist()
    own, names = int(memory.rows["symbol"][slot]), memory.names
    shares = [
        (_share(names[code], terms), code == own, -at)
        for at, code in zip(inside.tolist(), codes, strict=True)
    ]
    first: int = -max(shares)[2]
    return rows.start + first


def _share(name: str, terms: Mapping[str, float]) -> float:
    """How much of the query a name covers, times how much of the name the query covers; 0 without overlap."""
    words = set(name_stems(name))
    covered = sum(terms.get(word, 0.0) for word in words)
    if covered <= 0:
        return 0.0
    known = sum(word in terms for word in words)
    return round(covered * known / len(words), 6)
