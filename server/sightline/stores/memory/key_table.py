"""Which slots hold a key: a sorted table that grows with the slots."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

# New slots are looked through one by one until there are so many that sorting anew pays.
_LONGEST_TAIL = 10_000


class KeyTable:
    """Looks keys up in a column whose rows are only ever appended."""

    def __init__(self, column: Callable[[], NDArray[np.int64]]) -> None:
        self._column = column
        self._sorted: tuple[NDArray[np.int64], NDArray[np.intp]] = (
            np.zeros(0, np.int64),
            np.zeros(0, np.intp),
        )

    def of(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """The key of each slot."""
        return self._column()[slots]

    def slots(self, keys: Iterable[int]) -> NDArray[np.int64]:
        """All slots that hold one of the keys, ascending."""
        column = self._column()
        wanted = np.unique(np.fromiter(keys, np.int64))
        values, order = self._table(column)
        first = np.searchsorted(values, wanted, side="left")
        last = np.searchsorted(values, wanted, side="right")
        spans = [order[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True) if a < b]
        tail = np.flatnonzero(np.isin(column[len(order) :], wanted)) + len(order)
        return np.sort(np.concatenate([*spans, tail])).astype(np.int64)

    def _table(self, column: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        table = self._sorted
        if len(column) - len(table[1]) > max(_LONGEST_TAIL, len(table[1]) // 10):
            order = np.argsort(column, kind="stable")
            # One assignment, so that two readers at once see a whole table.
            self._sorted = table = (column[order], order)
        return table
