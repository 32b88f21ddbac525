"""Every symbol of a folder in memory, found by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.stores.memory.columns import Columns
from sightline.stores.memory.interner import Interner
from sightline.types import Symbol

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
_NO_ROWS = range(0)


class SymbolTable:
    """Rows of symbols; a removed one stays as a dead row until the memory index is built again."""

    def __init__(self, names: Interner) -> None:
        self.columns = Columns(_TYPES)
        self.live = 0
        self._names = names
        self._filled = _Groups((), np.zeros(0, np.int64))
        # The rows that came one file at a time, dead ones among them.
        self._added: dict[str, list[int]] = {}
        self._by_file: dict[int, range] = {}

    def replace(self, file: int, symbols: Sequence[Symbol], slots: Sequence[int]) -> None:
        """Make these the symbols of a file; `slots` are those of its chunks, by ordinal."""
        self.remove(file)
        first = self.columns.size
        code = self._names.code
        rows = [
            (
                code(s.name),
                code(s.kind),
                code(s.container),
                file,
                slots[s.chunk],
                s.start_line,
                s.end_line,
                s.name_line,
                s.name_column,
                True,
            )
            for s in symbols
        ]
        if rows:
            self.columns.extend(dict(zip(_TYPES, zip(*rows, strict=True), strict=True)), len(rows))
        for row, symbol in enumerate(symbols, first):
            self._added.setdefault(symbol.name.lower(), []).append(row)
        self._by_file[file] = range(first, first + len(rows))
        self.live += len(rows)

    def fill(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Take the symbols of all files into an empty table, those of a file one after the other."""
        self.live = size = len(columns["name"])
        self.columns.extend({**columns, "alive": np.ones(size, np.bool_)}, size)
        files, firsts = np.unique(columns["file"], return_index=True)
        bounds = [*firsts.tolist(), size]
        self._by_file = dict(zip(files.tolist(), map(range, bounds, bounds[1:]), strict=True))
        distinct, inverse = np.unique(columns["name"], return_inverse=True)
        self._filled = _Groups([self._names[code].lower() for code in distinct.tolist()], inverse)

    def remove(self, file: int) -> None:
        """Take a file's symbols out."""
        rows = self._by_file.pop(file, _NO_ROWS)
        self.columns["alive"][rows.start : rows.stop] = False
        self.live -= len(rows)

    def named(self, name: str) -> list[int]:
        """The rows whose name is this one, whatever its case."""
        folded = name.lower()
        added = np.array(self._added.get(folded, ()), np.int64)
        rows = np.concatenate([self._filled.rows(folded), added])
        alive: list[int] = rows[self.columns["alive"][rows]].tolist()
        return alive

    def of_file(self, file: int) -> range:
        """The rows of one file; the same object for as long as they are the same."""
        return self._by_file.get(file, _NO_ROWS)

    def alive(self) -> NDArray[np.int64]:
        """The rows in use."""
        return np.flatnonzero(self.columns["alive"])

    def name(self, row: int) -> str:
        """The name of a row's symbol."""
        return self._names[self.columns["name"][row]]

    def kind(self, row: int) -> str:
        """The kind of a row's symbol."""
        return self._names[self.columns["kind"][row]]

    def container(self, row: int) -> str:
        """What a row's symbol is defined in."""
        return self._names[self.columns["container"][row]]


class _Groups:
    """Rows by name in two arrays: a list for each of many thousand names is slow to make and to collect."""

    def __init__(self, names: Sequence[str], of_row: NDArray[np.int64]) -> None:
        """Row `i` has the name `names[of_row[i]]`; of equal names, the rows come together."""
        self._groups = dict(zip(dict.fromkeys(names), count(), strict=False))
        groups = np.fromiter(map(self._groups.__getitem__, names), np.int64, len(names))[of_row]
        self._rows = np.argsort(groups, kind="stable")
        self._starts = np.searchsorted(groups[self._rows], np.arange(len(self._groups) + 1))

    def rows(self, name: str) -> NDArray[np.int64]:
        """The rows of a name, ascending."""
        group = self._groups.get(name)
        return self._rows[:0] if group is None else self._rows[self._starts[group] : self._starts[group + 1]]
