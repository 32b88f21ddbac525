"""Maps a chunk to its place, and a place to its definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers, among, repeated
from sightline.search.ranking.definitions import FUNCTIONS
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.name_words import NameWords

Span = tuple[int, int]

_WHOLE = (*FUNCTIONS, "test")
# A longer definition is shown in pieces: as one place it would not say where to look.
_MOST_LINES = 150
# A chunk with more names is a table of values; its first names represent it.
_MOST_NAMES = 60


def whole_definitions(memory: MemoryIndex, slots: Integers) -> list[int | None]:
    """For each chunk the symbol row of the function it is a piece of, None if it is a place of its own."""
    names = _function_names(memory, slots)
    spans = {name: memory.symbols.spans_named(*name) for name in {*names} if name}
    lines = memory.rows["start_line"].take(slots).tolist(), memory.rows["end_line"].take(slots).tolist()
    return [
        None if name is None else _around(spans[name], first, last)
        for name, first, last in zip(names, *lines, strict=True)
    ]


def _function_names(memory: MemoryIndex, slots: Integers) -> list[tuple[int, int] | None]:
    """For each chunk of a function, the numbers of its file and of its name."""
    columns = (memory.rows[name].take(slots).tolist() for name in ("kind", "file", "symbol"))
    whole = _whole_kinds(memory)
    return [(file, name) if kind in whole else None for kind, file, name in zip(*columns, strict=True)]


def _whole_kinds(memory: MemoryIndex) -> list[int]:
    """The codes of the kinds of chunks that are pieces of functions, ascending."""
    return sorted(code for kind in _WHOLE if (code := memory.names.find(kind)) is not None)


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
    several = _with_namesakes(memory, slots)
    for at, row in zip(several.tolist(), whole_definitions(memory, slots.take(several)), strict=True):
        if row is not None:
            keys[at] = -1 - row
    return keys


def _with_namesakes(memory: MemoryIndex, slots: Integers) -> Integers:
    """The positions of chunks that may be pieces of one function: of functions of one file and one name."""
    kinds, files, names = (memory.rows[name].take(slots) for name in ("kind", "file", "symbol"))
    functions = among(kinds, np.array(_whole_kinds(memory), np.int32)).nonzero()[0]
    return functions.take(repeated(files.astype(np.int64).take(functions) << 32 | names.take(functions)))


class Label(NamedTuple):
    """The symbol row that names a place, and the lines of the place."""

    row: int | None
    span: Span


def labels(
    memory: MemoryIndex, slots: Integers, defined: Sequence[int | None], terms: Mapping[str, float]
) -> list[Label]:
    """The labels of some chunks' places.

    A place is named after the definition `defined`, else after the function that it is a piece of, else after
    the definition in it whose name covers most of the query; None if no definition is named in it.
    """
    wholes = whole_definitions(memory, slots)
    lines = (memory.rows[name].take(slots).tolist() for name in ("start_line", "end_line"))
    chunks = zip(*lines, strict=True)
    spans = [_span(memory, *each) for each in zip(chunks, defined, wholes, strict=True)]
    rows = [whole if row is None else row for row, whole in zip(defined, wholes, strict=True)]
    nameless = [at for at, row in enumerate(rows) if row is None]
    others = slots.take(np.array(nameless, np.int64))
    named = memory.symbols.named_on([spans[at] for at in nameless], memory.rows["file"].take(others).tolist())
    inside = [each[:_MOST_NAMES] for each in named]
    for at, row in zip(nameless, _best_named(memory, others, inside, terms), strict=True):
        rows[at] = row
    return list(map(Label, rows, spans))


def _span(memory: MemoryIndex, chunk: Span, defined: int | None, whole: int | None) -> Span:
    """The lines of a place: of the function that it is a piece of, else of the chunk; cut to its name's."""
    first, last = chunk if whole is None else memory.symbols.span(whole)
    if defined is None:
        return first, last
    begin, end = memory.symbols.span(defined)
    return begin, min(end, max(last, begin))


def _best_named(
    memory: MemoryIndex, slots: Integers, inside: Sequence[Sequence[int]], terms: Mapping[str, float]
) -> Iterator[int | None]:
    """Of the symbols named in each chunk, the one whose name covers most of the query."""
    names = memory.symbols.columns["name"][list(chain.from_iterable(inside))]
    known = iter(zip(_shares(memory.words, names, terms).tolist(), names.tolist(), strict=True))
    for own, rows in zip(memory.rows["symbol"][slots].tolist(), inside, strict=True):
        # Of equal ones the chunk's own symbol, then the first in the text.
        worth = [(share, code == own, -row) for row, (share, code) in zip(rows, known, strict=False)]
        yield -max(worth)[2] if worth else None


def _shares(words: NameWords, names: Integers, terms: Mapping[str, float]) -> NDArray[np.float64]:
    """How much of the query each name covers, times how much of the name the query covers."""
    words.follow()
    worth = np.zeros(len(words))
    for term, idf in terms.items():
        number = words.find(term)
        if number is not None:
            worth[number] = idf
    sizes, parts = words.lists(names)
    owners, values = np.arange(len(names)).repeat(sizes), worth.take(parts)
    covered = np.bincount(owners, values, len(names))
    known = np.bincount(owners, values > 0, len(names))
    # Sums of the same numbers in another order must not decide.
    shares: NDArray[np.float64] = (covered * known / np.maximum(sizes, 1)).round(6)
    return shares
