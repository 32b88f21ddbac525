"""Vectors that are too many for memory: Chroma proposes, the true vectors decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sightline.stores.memory.key_table import KeyTable
from sightline.stores.vectors.chroma import StoreUnavailable
from sightline.stores.vectors.matrix import Mask, Slots, Vector, Vectors, best, dots

# So few vectors are read and scored sooner than HNSW finds enough of them under a filter.
_EXACT_BELOW = 5000
_FIRST_FETCH = 400
_FETCH_FACTOR = 4
_LARGEST_FETCH = 6400
_BLOCK = 8192
_MIN_CAPACITY = 1024

Fetch = Callable[[Sequence[int]], tuple[Sequence[int], Vectors]]


class Retriever(Protocol):
    """What finds candidates; `Behind` is one."""

    def query(self, vector: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        """Keys near a vector, best first; StoreUnavailable if it cannot be asked."""

    def unwritten(self) -> set[int] | None:
        """Keys that a query cannot find yet; None if nobody knows."""


class Approximate:
    """The interface of Matrix over vectors on disk; every score is exact, only the choice may miss."""

    def __init__(
        self, dim: int, keys: Callable[[], NDArray[np.int64]], fetch: Fetch, retriever: Retriever
    ) -> None:
        self.dim = dim
        self.count = 0
        self._keys = KeyTable(keys)
        self._fetch = fetch
        self._retriever = retriever
        self._live: Mask = np.zeros(0, dtype=np.bool_)

    def set(self, slots: Slots, vectors: Vectors) -> None:
        """Note that these slots have a vector; the source keeps it."""
        if not len(slots):
            return
        size = int(slots.max()) + 1
        if size > len(self._live):
            larger = np.zeros(max(size, 2 * len(self._live), _MIN_CAPACITY), dtype=np.bool_)
            larger[: len(self._live)] = self._live
            self._live = larger
        self._live[slots] = True
        self.count = int(np.count_nonzero(self._live))

    def remove(self, slot: int) -> None:
        """Forget a slot's vector, if it has one."""
        if self.has(slot):
            self._live[slot] = False
            self.count -= 1

    def has(self, slot: int) -> bool:
        """Whether the slot has a vector."""
        return 0 <= slot < len(self._live) and bool(self._live[slot])

    def get(self, slots: Slots) -> Vectors:
        """The vectors of slots; zeros where the source has none."""
        keys = self._keys.of(slots)
        found, vectors = self._fetch(np.unique(keys).tolist())
        places = {key: place for place, key in enumerate(found)}
        rows = np.zeros((len(slots), self.dim), dtype=np.float32)
        for row, key in enumerate(keys.tolist()):
            if key in places:
                rows[row] = vectors[places[key]]
        return rows

    def top(self, query: Vector, k: int, allowed: Mask | None = None) -> tuple[Slots, Vector]:
        """The `k` nearest slots under the mask and their cosines, best first, ties by slot; never fewer."""
        usable = self._usable(allowed)
        if np.count_nonzero(usable) > max(_EXACT_BELOW, k):
            for candidates in self._proposals(query, k):
                inside = candidates[candidates < len(usable)]
                chosen = inside[usable[inside]]
                if len(chosen) >= k:
                    return self._scan(query, k, chosen)
        return self._scan(query, k, np.flatnonzero(usable))

    def cosines(self, query: Vector, slots: Slots) -> Vector:
        """The cosine of each slot, in the given order; 0 for a slot without a vector."""
        cosines = np.zeros(len(slots), dtype=np.float32)
        inside = np.flatnonzero((slots >= 0) & (slots < len(self._live)))
        known = inside[self._live[slots[inside]]]
        if len(known):
            cosines[known] = np.nan_to_num(self._scores(query, slots[known]), neginf=0.0)
        return cosines

    def _usable(self, allowed: Mask | None) -> Mask:
        if allowed is None:
            return self._live
        shared = min(len(self._live), len(allowed))
        return self._live[:shared] & allowed[:shared]

    def _proposals(self, query: Vector, k: int) -> Iterator[Slots]:
        """Ever larger sets of slots worth scoring, ascending; none if the store cannot say."""
        unwritten = self._retriever.unwritten()
        if unwritten is None or len(unwritten) > _LARGEST_FETCH:
            return
        wanted = max(_FIRST_FETCH, _FETCH_FACTOR * k)
        while wanted <= max(_LARGEST_FETCH, _FETCH_FACTOR * k):
            try:
                found = self._retriever.query(query, wanted)
            except StoreUnavailable:
                return
            yield self._keys.slots({key for key, _ in found} | unwritten)
            if len(found) < wanted:
                return
            wanted *= _FETCH_FACTOR

    def _scan(self, query: Vector, k: int, slots: Slots) -> tuple[Slots, Vector]:
        kept, scores = slots[:0], np.zeros(0, dtype=np.float32)
        for start in range(0, len(slots), _BLOCK):
            block = slots[start : start + _BLOCK]
            pool = np.concatenate([kept, block])
            both = np.concatenate([scores, self._scores(query, block)])
            order = np.argsort(pool)
            kept, scores = best(both[order], pool[order], k)
        known = np.isfinite(scores)
        return kept[known], scores[known]

    def _scores(self, query: Vector, slots: Slots) -> Vector:
        """The cosine of every slot; minus infinity where the source has no vector after all."""
        keys = self._keys.of(slots)
        found, vectors = self._fetch(np.unique(keys).tolist())
        scores = np.full(len(slots), -np.inf, dtype=np.float32)
        if len(found):
            table = np.asarray(found, dtype=np.int64)
            order = np.argsort(table)
            places = order[np.minimum(np.searchsorted(table, keys, sorter=order), len(table) - 1)]
            present = table[places] == keys
            scores[present] = dots(vectors, query)[places[present]]
        return scores
