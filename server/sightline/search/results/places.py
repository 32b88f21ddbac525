"""Maps a chunk to its place, and a place to its definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers
from sightline.search.ranking.definitions import FUNCTIONS
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.name_words import NameWords

Span = tuple[int, int]

_WHOLE = FUNCTIONS | {"test"}
# A longer definition is shown in pieces: as one place it would not say where to look.
_MOST_LINES = 150
_HALF = 32
# A chunk with more names is a table of values; its first names represent it.
_MOST_NAMES = 60
# Each chunk is compared with all symbols of its file, which may be many.
_AT_ONCE = 64


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


class Label(NamedTuple):
    """The symbol row that names a place, the lines of the place, and the row of the definition around it."""

    row: int | None
    span: Span
    around: int | None


def labels(
    memory: MemoryIndex, slots: Integers, defined: Sequence[int | None], terms: Mapping[str, float]
) -> list[Label]:
    """The labels of some chunks' places.

    A place is named after the definition `defined`, else after the function that it is a piece of, else after
    the definition in it whose name covers most of the query; None if no definition is named in it.
    """
    starts = range(0, len(slots), _AT_ONCE)
    parts = [slice(start, start + _AT_ONCE) for start in starts]
    return [label for part in parts for label in _some_labels(memory, slots[part], defined[part], terms)]


def _some_labels(
    memory: MemoryIndex, slots: Integers, defined: Sequence[int | None], terms: Mapping[str, float]
) -> list[Label]:
    wholes = whole_definitions(memory, slots)
    spans = [
        memory.span(slot) if whole is None else memory.symbols.span(whole)
        for slot, whole in zip(slots.tolist(), wholes, strict=True)
    ]
    inside = _named_inside(memory, slots, spans, terms)
    rows = [_first_known(*each) for each in zip(defined, wholes, inside, strict=True)]
    for at, row in enumerate(defined):
        if row is not None:
            first, last = memory.symbols.span(row)
            spans[at] = first, min(last, max(spans[at][1], first))
    return list(map(Label, rows, spans, _enclosing(memory, slots, spans)))


def chunk_label(memory: MemoryIndex, slot: int, row: int | None) -> Label:
    """The label of a chunk that is shown as it is, named after a symbol."""
    span = memory.span(slot)
    return Label(row, span, _enclosing(memory, np.array([slot]), [span])[0])


def _first_known(*rows: int | None) -> int | None:
    return next((row for row in rows if row is not None), None)


def _enclosing(memory: MemoryIndex, slots: Integers, spans: Sequence[Span]) -> list[int | None]:
    """For the lines of each chunk, the row of the smallest definition around them."""
    owners, rows = memory.symbols.of_each(memory.rows["file"][slots])
    starts, ends = (memory.symbols.columns[name][rows] for name in ("start_line", "end_line"))
    bounds = np.array(spans, np.int64).reshape(-1, 2)
    around = np.flatnonzero((starts <= bounds[owners, 0]) & (ends >= bounds[owners, 1]))
    # The last one that is written is the smallest, of equal ones the first in the text.
    order = around[np.lexsort((-around, (starts - ends)[around]))]
    return _last_written(len(spans), owners[order], rows[order])


def _named_inside(
    memory: MemoryIndex, slots: Integers, spans: Sequence[Span], terms: Mapping[str, float]
) -> list[int | None]:
    """For the lines of each chunk, the symbol named in them whose name covers most of the query."""
    owners, rows = memory.symbols.of_each(memory.rows["file"][slots])
    lines, bounds = memory.symbols.columns["name_line"][rows], np.array(spans, np.int64).reshape(-1, 2)
    inside = np.flatnonzero((lines >= bounds[owners, 0]) & (lines <= bounds[owners, 1]))
    owners, rows = owners[inside], rows[inside]
    first = np.arange(len(rows)) - np.searchsorted(owners, owners) < _MOST_NAMES
    owners, rows = owners[first], rows[first]
    names = memory.symbols.columns["name"][rows]
    own = names == memory.rows["symbol"][slots[owners]]
    # The last one that is written is the best, of equal ones the first in the text.
    order = np.lexsort((-rows, own, _shares(memory.words, names, terms)))
    return _last_written(len(spans), owners[order], rows[order])


def _last_written(count: int, owners: Integers, rows: Integers) -> list[int | None]:
    """For each owner below `count`, its last row, if any."""
    found: list[int | None] = [None] * count
    for owner, row in zip(owners.tolist(), rows.tolist(), strict=True):
        found[owner] = row
    return found


def _shares(words: NameWords, names: Integers, terms: Mapping[str, float]) -> NDArray[np.float64]:
    """How much of the query each name covers, times how much of the name the query covers."""
    words.follow()
    worth = np.zeros(len(words))
    for term, idf in terms.items():
        number = words.find(term)
        if number is not None:
            worth[number] = idf
    owners, parts = words.of(names)
    covered = np.bincount(owners, worth[parts], len(names))
    known = np.bincount(owners, worth[parts] > 0, len(names))
    sizes = np.maximum(np.bincount(owners, minlength=len(names)), 1)
    # Sums of the same numbers in another order must not decide.
    return np.round(covered * known / sizes, 6)
