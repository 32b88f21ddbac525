"""Growing arrays, one per column, that share their row numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sightline.arrays import grown
from sightline.stores.memory.snapshot import Array, Growing


class Columns:
    """A table of numpy columns that grows at its end; `table[name]` is a column."""

    def __init__(self, types: Mapping[str, DTypeLike]) -> None:
        self.size = 0
        self._arrays: dict[str, NDArray[Any]] = {name: np.zeros(0, dtype) for name, dtype in types.items()}
        # The used parts of columns that were asked for: a search asks hundreds of times.
        self._used: dict[str, NDArray[Any]] = {}

    def use(self, arrays: Mapping[str, Array], size: int) -> None:
        """Take over arrays of which the first `size` rows are in use."""
        self._arrays = {name: arrays[name] for name in self._arrays}
        self._resize(size)

    def arrays(self) -> dict[str, Growing]:
        """What `use` takes."""
        return {name: Growing(self[name]) for name in self._arrays}

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The used part of a column; writing to it writes to the table."""
        try:
            return self._used[name]
        except KeyError:
            used = self._used[name] = self._arrays[name][: self.size]
            return used

    def append(self, **values: object) -> int:
        """Add one row and return its number."""
        row = self.size
        self._reserve(row + 1)
        for name, value in values.items():
            self._arrays[name][row] = value
        self._resize(row + 1)
        return row

    def extend(self, values: Mapping[str, Sequence[Any] | NDArray[Any]], count: int) -> None:
        """Add many rows at once."""
        self._reserve(self.size + count)
        for name, column in values.items():
            self._arrays[name][self.size : self.size + count] = column
        self._resize(self.size + count)

    def extend_rows(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add many rows at once, each with a value for every column."""
        if rows:
            self.extend(dict(zip(self._arrays, zip(*rows, strict=True), strict=True)), len(rows))

    def _resize(self, size: int) -> None:
        self.size = size
        # A new dictionary, because a reader may be about to store the part that it has just taken.
        self._used = {}

    def _reserve(self, rows: int) -> None:
        for name, array in self._arrays.items():
            self._arrays[name] = grown(array, rows)
