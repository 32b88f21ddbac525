"""Maps chunk ids to slots."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers
from sightline.stores.memory.snapshot import Array


class ChunkSlots:
    """Slots by chunk id: a sorted table for chunks that existed at the start, a dictionary for later ones."""

    def __init__(self) -> None:
        self._ids: Integers = np.zeros(0, np.int64)
        self._slots: NDArray[np.int32] = np.zeros(0, np.int32)
        self._later: dict[int, int] = {}

    def use(self, arrays: Mapping[str, Array]) -> None:
        """Use a sorted table from `sorted_table`."""
        self._ids, self._slots, self._later = arrays["ids"], arrays["slots"], {}

    def add(self, chunk_id: int, slot: int) -> None:
        """Add a new chunk."""
        self._later[chunk_id] = slot

    def find(self, chunk_id: int) -> int | None:
        """The slot of a chunk, also of a removed one."""
        slot = self._later.get(chunk_id)
        if slot is None and len(self._ids):
            at = min(int(np.searchsorted(self._ids, chunk_id)), len(self._ids) - 1)
            slot = int(self._slots[at]) if self._ids[at] == chunk_id else None
        return slot


def sorted_table(chunk_ids: Integers, slots: Integers) -> dict[str, Array]:
    """The arrays that `ChunkSlots.use` takes: the ids of these slots."""
    ids = chunk_ids[slots]
    order = np.argsort(ids)
    return {"ids": ids[order], "slots": slots[order].astype(np.int32)}
