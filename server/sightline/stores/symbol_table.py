"""Every symbol of a folder in memory, found by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.stores.columns import Columns
from sightline.stores.names import Names
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


class SymbolTable:
    """Rows of symbols; a removed one stays as a dead row until the image is built again."""

    def __init__(self, names: Names) -> None:
        self.columns = Columns(_TYPES)
        self.live = 0
        self._names = names
        self._by_folded: dict[str, list[int]] = {}
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
            self._by_folded.setdefault(symbol.name.lower(), []).append(row)
        self._by_file[file] = range(first, first + len(rows))
        self.live += len(rows)

    def remove(self, file: int) -> None:
        """Take a file's symbols out."""
        rows = self._by_file.pop(file, range(0))
        for row in rows:
            folded = self._names[self.columns["name"][row]].lower()
            same = self._by_folded[folded]
            same.remove(row)
            if not same:
                del self._by_folded[folded]
        self.columns["alive"][rows.start : rows.stop] = False
        self.live -= len(rows)

    def named(self, name: str) -> list[int]:
        """The rows whose name is this one, whatever its case."""
        return list(self._by_folded.get(name.lower(), ()))

    def folded_names(self) -> Iterable[str]:
        """Every distinct name, lower-cased."""
        return self._by_folded.keys()

    def of_file(self, file: int) -> range:
        """The rows of one file."""
        return self._by_file.get(file, range(0))

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
