"""Which slots hold a key: a sorted table that grows with the slots."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers, among, distinct

# New slots are scanned until there are so many that sorting the table again pays off.
_LONGEST_TAIL = 10_000


class KeyTable:
    """Looks up keys in an append-only column."""

    def __init__(self, column: Callable[[], Integers]) -> None:
        self._column = column
        self._order: NDArray[np.int32] = np.zeros(0, np.int32)

    def use(self, order: NDArray[np.int32]) -> None:
        """Restore what `sorted_slots` returned for a column with the same rows."""
        self._order = order

    def sorted_slots(self) -> NDArray[np.int32]:
        """All slots, ordered by their keys."""
        return np.argsort(self._column(), kind="stable").astype(np.int32)

    def slots(self, keys: Iterable[int]) -> Integers:
        """All slots that hold one of the keys, ascending."""
        column = self._column()
        wanted = distinct(np.fromiter(keys, np.int64))
        order = self._sorted(column)
        known = column[: len(order)]
        first = np.searchsorted(known, wanted, side="left", sorter=order)
        last = np.searchsorted(known, wanted, side="right", sorter=order)
        spans = [order[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True) if a < b]
        tail = np.flatnonzero(among(column[len(order) :], wanted)) + len(order)
        return np.sort(np.concatenate([*spans, tail])).astype(np.int64)

    def _sorted(self, column: Integers) -> NDArray[np.int32]:
        order = self._order
        if len(column) - len(order) > max(_LONGEST_TAIL, len(order) // 10):
            # A single assignment, so that concurrent readers see a complete table.
            self._order = order = self.sorted_slots()
        return order
