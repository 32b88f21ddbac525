"""Every symbol of a folder in memory, indexed by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers, Mask, grown
from sightline.parsed_file import Symbol
from sightline.stores.memory.columns import Columns
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.snapshot import Array, Arrays, below, prefixed
from sightline.stores.memory.strings import RowsByName, pack_rows, ranges, spread_ranges

_TYPES = {
    "name": np.int32,
    "kind": np.int32,
    "container": np.int32,
    "file": np.int32,
    "slot": np.int32,
    "start_line": np.int32,
    "end_line": np.int32,
    "name_line": np.int32,
    "name_column": np.int32,
    "alive": np.bool_,
}
# In the order of `SymbolFacts`.
_DESCRIBING = ("name", "kind", "container", "start_line", "end_line", "name_line", "name_column")
_NO_ROWS = range(0)
# About as many as a few hundred searches ask for.
_MOST_SPANS = 1 << 12

# The first and the last line of a place.
Lines = tuple[int, int]
# The number of a file, its symbols, and the slots of its chunks by ordinal.
FileSymbols = tuple[int, Sequence[Symbol], Sequence[int]]


class SymbolFacts(NamedTuple):
    """What is known of a symbol; `name_at` is line and column."""

    name: str
    kind: str
    container: str
    span: tuple[int, int]
    name_at: tuple[int, int]

    @property
    def qualified(self) -> str:
        """The name with its container."""
        return f"{self.container}.{self.name}" if self.container else self.name


class SymbolTable:
    """Rows of symbols; a removed one stays as a dead row until the memory index is rebuilt."""

    def __init__(self, names: Interner) -> None:
        self.columns = Columns(_TYPES)
        self.live = 0
        self._names = names
        # Rows by lower-cased name, for all symbols that existed at the start.
        self._filled = RowsByName()
        # The rows that were added later, one file at a time, including dead ones.
        self._added: dict[str, list[int]] = {}
        # Where the rows of a file begin and end, and which of these existed at the start.
        self._bounds = np.zeros((0, 2), np.int32)
        self._unchanged = np.zeros(0, np.bool_)
        # What was asked of the current symbols.
        self._spans: dict[tuple[int, int], list[tuple[int, int, int]]] = {}

    def use(self, arrays: Mapping[str, Array], size: int) -> None:
        """Restore what `arrays` returned."""
        self.columns.use(below("rows", arrays), size)
        self.live = int(np.count_nonzero(self.columns["alive"]))
        self._added, self._spans = {}, {}
        self._group(arrays)

    def arrays(self) -> Arrays:
        """The arrays from which `use` restores the table."""
        rows = self.columns
        return {**prefixed("rows", rows.arrays()), **self._groups(rows["name"], rows["alive"])}

    def replace(self, files: Iterable[FileSymbols]) -> None:
        """Replace the symbols of some files, each of which occurs once."""
        rows: list[tuple[int, ...]] = []
        for file, symbols, slots in files:
            self.remove(file)
            first = self.columns.size + len(rows)
            rows += self._rows(file, symbols, slots)
            for row, symbol in enumerate(symbols, first):
                self._added.setdefault(symbol.name.lower(), []).append(row)
            self._bounds = grown(self._bounds, file + 1)
            self._bounds[file] = first, first + len(symbols)
        self.columns.extend_rows(rows)
        self.live += len(rows)

    def _rows(self, file: int, symbols: Sequence[Symbol], slots: Sequence[int]) -> list[tuple[int, ...]]:
        code = self._names.code
        return [
            (code(name), code(kind), code(container), file, slots[chunk], start, end, line, column, True)
            for name, kind, container, _, start, end, line, column, chunk in symbols
        ]

    def fill(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Add the symbols of all files to an empty table; those of one file must be contiguous."""
        self.live = size = len(columns["name"])
        self.columns.extend({**columns, "alive": np.ones(size, np.bool_)}, size)
        self._group(self._groups(self.columns["name"], self.columns["alive"]))

    def remove(self, file: int) -> None:
        """Remove a file's symbols."""
        rows = self.of_file(file)
        self._spans = {}
        self._bounds[file : file + 1] = 0
        self._unchanged[file : file + 1] = False
        self.columns["alive"][rows.start : rows.stop] = False
        self.live -= len(rows)

    def named(self, name: str) -> list[int]:
        """The rows that have this name, ignoring case."""
        folded = name.lower()
        return self.named_some((folded,))[folded]

    def named_some(self, lowered: Sequence[str]) -> dict[str, list[int]]:
        """The rows of each of some names in lower case; quicker than one at a time."""
        filled, added = self._filled.of_some(lowered), self._added
        rows = {name: [*filled.get(name, ()), *added.get(name, ())] for name in lowered}
        if self.live == self.columns.size:
            return rows
        alive = self.columns["alive"]
        return {name: [row for row in found if alive[row]] for name, found in rows.items()}

    def of_file(self, file: int) -> range:
        """The rows of one file, which are others after any change of its symbols."""
        return range(*self._bounds[file].tolist()) if file < len(self._bounds) else _NO_ROWS

    def of_files(self, files: Integers) -> Integers:
        """The rows of some files, file by file."""
        bounds = self._bounds.take(files[files < len(self._bounds)], axis=0)
        return ranges(bounds[:, 0], bounds[:, 1] - bounds[:, 0])

    def spans_named(self, file: int, name: int) -> list[tuple[int, int, int]]:
        """Of each symbol of a file whose name has this number: the row, the first and the last line."""
        known = self._spans.get((file, name))
        if known is None:
            if len(self._spans) >= _MOST_SPANS:
                self._spans = {}
            known = self._spans[file, name] = self._find_spans(file, name)
        return known

    def _find_spans(self, file: int, name: int) -> list[tuple[int, int, int]]:
        own, columns = self.of_file(file), self.columns
        rows = own.start + (columns["name"][own.start : own.stop] == name).nonzero()[0]
        lines = columns["start_line"].take(rows).tolist(), columns["end_line"].take(rows).tolist()
        return list(zip(rows.tolist(), *lines, strict=True))

    def named_on(self, spans: Sequence[Lines], files: Sequence[int]) -> list[list[int]]:
        """For each of some spans of lines of a file, the symbols whose names are on them."""
        owners, rows, firsts, lasts = self._beside(spans, files)
        lines = self.columns["name_line"].take(rows)
        inside = ((lines >= firsts) & (lines <= lasts)).nonzero()[0]
        found: list[list[int]] = [[] for _ in spans]
        for owner, row in zip(owners.take(inside).tolist(), rows.take(inside).tolist(), strict=True):
            found[owner].append(row)
        return found

    def smallest_around(self, spans: Sequence[Lines], files: Sequence[int]) -> list[int | None]:
        """For each of some spans of lines of a file, the smallest symbol around it; of equals the first."""
        owners, rows, firsts, lasts = self._beside(spans, files)
        starts, ends = (self.columns[name].take(rows) for name in ("start_line", "end_line"))
        around = ((starts <= firsts) & (ends >= lasts)).nonzero()[0]
        sizes = (ends.take(around) - starts.take(around)).tolist()
        found: list[int | None] = [None] * len(spans)
        best: dict[int, int] = {}
        for owner, size, row in zip(
            owners.take(around).tolist(), sizes, rows.take(around).tolist(), strict=True
        ):
            if owner not in best or size < best[owner]:
                best[owner], found[owner] = size, row
        return found

    def _beside(self, spans: Sequence[Lines], files: Sequence[int]) -> tuple[Integers, ...]:
        """The rows of the files of some spans: the position of the span, the row, and the span's lines."""
        bounds = [self._bounds[file].tolist() if file < len(self._bounds) else (0, 0) for file in files]
        starts, stops = np.array(bounds, np.int64).reshape(-1, 2).T
        firsts, lasts = np.array(spans, np.int64).reshape(-1, 2).T
        owners, rows = spread_ranges(starts, stops)
        return owners, rows, firsts.take(owners), lasts.take(owners)

    def described(self, rows: Collection[int]) -> dict[int, SymbolFacts]:
        """The facts of some symbols by row; quicker than one at a time."""
        text, places = self._names.__getitem__, np.array([*rows], np.int64)
        columns = (self.columns[name].take(places).tolist() for name in _DESCRIBING)
        return {
            row: SymbolFacts(text(name), text(kind), text(container), (start, end), (line, column))
            for row, name, kind, container, start, end, line, column in zip(rows, *columns, strict=True)
        }

    def unchanged(self, files: Integers) -> Mask:
        """Which files still have the symbols that they had at the start."""
        known = files < len(self._unchanged)
        known[known] = self._unchanged[files[known]]
        return known

    def alive(self) -> Integers:
        """The rows in use."""
        return np.flatnonzero(self.columns["alive"])

    def name(self, row: int) -> str:
        """The name of a row's symbol."""
        return self._names[self.columns["name"][row]]

    def kind(self, row: int) -> str:
        """The kind of a row's symbol."""
        return self._names[self.columns["kind"][row]]

    def container(self, row: int) -> str:
        """The container of a row's symbol."""
        return self._names[self.columns["container"][row]]

    def span(self, row: int) -> tuple[int, int]:
        """The first and the last line of a row's symbol."""
        return int(self.columns["start_line"][row]), int(self.columns["end_line"][row])

    def name_at(self, row: int) -> tuple[int, int]:
        """The line and the column of a row's name."""
        return int(self.columns["name_line"][row]), int(self.columns["name_column"][row])

    def _group(self, arrays: Mapping[str, Array]) -> None:
        self._filled = RowsByName(below("names", arrays))
        self._bounds = arrays["bounds"]
        self._unchanged = np.ones(len(self._bounds), np.bool_)

    def _groups(self, names: NDArray[np.int32], alive: Mask) -> dict[str, Array]:
        """Rows by name, and the bounds of each file's rows; a list for each would be slow to build."""
        distinct, inverse = np.unique(names, return_inverse=True)
        lowered = [self._names[code].lower() for code in distinct.tolist()]
        by_name = {f"names.{part}": array for part, array in pack_rows(lowered, inverse).items()}
        return {**by_name, "bounds": self._file_bounds(alive)}

    def _file_bounds(self, alive: Mask) -> NDArray[np.int32]:
        """For each file, its first row and the one after its last."""
        living = np.flatnonzero(alive)
        files = self.columns["file"][living]
        bounds = np.zeros((int(files.max(initial=-1)) + 1, 2), np.int32)
        # The rows of one file are contiguous; there may be gaps between files.
        change = np.flatnonzero(np.diff(files)) + 1
        firsts = np.concatenate([[0], change]) if len(files) else change
        lasts = np.concatenate([change, [len(files)]]) if len(files) else change
        bounds[files[firsts], 0] = living[firsts]
        bounds[files[firsts], 1] = living[lasts - 1] + 1
        return bounds
