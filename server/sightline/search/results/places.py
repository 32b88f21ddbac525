"""Maps a chunk to its place, and a place to its definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

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


def whole_definitions(memory: MemoryIndex, slots: Integers) -> list[int | None]:
    """For each chunk the symbol row of the function it is a piece of, None if it is a place of its own."""
    rows = memory.rows
    files, names = rows["file"][slots], rows["symbol"][slots]
    starts, ends = rows["start_line"][slots].tolist(), rows["end_line"][slots].tolist()
    kinds = [memory.names[code] for code in rows["kind"][slots].tolist()]
    spans = _spans_by_name(memory, files, names)
    return [
        _around(spans.get(key, ()), first, last) if kind in _WHOLE else None
        for key, kind, first, last in zip(_keys(files, names).tolist(), kinds, starts, ends, strict=True)
    ]


def _keys(files: NDArray[np.int32], names: NDArray[np.int32]) -> Integers:
    """One number for a file and a name in it."""
    keys: Integers = (files.astype(np.int64) << _HALF) | names
    return keys


def _spans_by_name(
    memory: MemoryIndex, files: NDArray[np.int32], names: NDArray[np.int32]
) -> dict[int, list[tuple[int, int, int]]]:
    """By key, the rows of the symbols that have one of some names in its file, each with its lines."""
    columns = memory.symbols.columns
    rows = memory.symbols.of_files(np.array([*set(files.tolist())], np.int64))
    wanted = np.zeros(len(memory.names), np.bool_)
    wanted[names] = True
    rows = rows[wanted[columns["name"][rows]]]
    keys = _keys(columns["file"][rows], columns["name"][rows]).tolist()
    lines = columns["start_line"][rows].tolist(), columns["end_line"][rows].tolist()
    found: dict[int, list[tuple[int, int, int]]] = {}
    for key, row, start, end in zip(keys, rows.tolist(), *lines, strict=True):
        found.setdefault(key, []).append((row, start, end))
    return found


def _around(spans: Iterable[tuple[int, int, int]], first: int, last: int) -> int | None:
    """The innermost of some symbols that a chunk is a part of, unless it has all of it or it is too long."""
    found, begin, end = -1, -1, -1
    for row, start, stop in spans:
        if start <= last and stop >= first and start > begin:
            found, begin, end = row, start, stop
    inside = first <= begin and end <= last
    return None if found < 0 or inside or end - begin > _MOST_LINES else found


def place_keys(memory: MemoryIndex, slots: Integers) -> Integers:
    """A key for each chunk, equal for the chunks of one place, such as two pieces of a function."""
    keys: Integers = slots.copy()
    named = _keys(memory.rows["file"][slots], memory.rows["symbol"][slots])
    _, owner, counts = np.unique(named, return_inverse=True, return_counts=True)
    # Only chunks of one file with the same name can be pieces of one function.
    several = np.flatnonzero(counts[owner] > 1)
    for at, row in zip(several.tolist(), whole_definitions(memory, slots[several]), strict=True):
        if row is not None:
            keys[at] = -1 - row
    return keys


def label(
    memory: MemoryIndex, slot: int, whole: int | None, defined: int | None, terms: Mapping[str, float]
) -> tuple[int | None, Span]:
    """The symbol row that names a chunk's place, and the lines of the place.

    It is named after the definition `defined`, else after the function `whole` that it is a piece of, else
    after the definition in it whose name covers most of the query; None if no definition is named in it.
    """
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
