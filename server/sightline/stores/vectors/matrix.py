"""Exact vectors in memory, by slot."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
Vectors = NDArray[np.float32]
Slots = NDArray[np.int64]
Mask = NDArray[np.bool_]

_MIN_CAPACITY = 1024
# Gathering rows copies them, which costs about as much as scanning this many times as many in place.
_GATHER_FACTOR = 4


def dots(rows: Vectors, query: Vector) -> Vector:
    """Every row's inner product with the query."""
    # A stack of one-row products is a plain dot a row: one thread, and 2-3 times as fast as `rows @ query`,
    # which wakes every BLAS thread. Equal rows also get equal bits wherever they stand, so ties are ties.
    products: Vector = np.matmul(rows[:, None, :], query)[:, 0]
    return products


def best(scores: Vector, slots: Slots, k: int) -> tuple[Slots, Vector]:
    """The `k` best of `scores`, best first, equal ones by slot; `slots` is ascending."""
    if k <= 0 or not len(slots):
        return slots[:0], scores[:0]
    if k < len(slots):
        bar = np.partition(scores, len(scores) - k)[len(scores) - k]
        above = np.flatnonzero(scores > bar)
        level = np.flatnonzero(scores == bar)[: k - len(above)]
        chosen = np.sort(np.concatenate([above, level]))
        scores, slots = scores[chosen], slots[chosen]
    order = np.argsort(-scores, kind="stable")
    return slots[order], scores[order]


class Matrix:
    """Unit vectors by slot; one writer at a time, the caller keeps readers out meanwhile."""

    def __init__(self, dim: int, capacity: int = 0) -> None:
        self.dim = dim
        self.count = 0
        self._rows: Vectors = np.zeros((capacity, dim), dtype=np.float32)
        self._live: Mask = np.zeros(capacity, dtype=np.bool_)
        self._size = 0

    def set(self, slots: Slots, vectors: Vectors) -> None:
        """Give each slot its vector, in place of any it has."""
        if not len(slots):
            return
        if vectors.shape != (len(slots), self.dim):
            raise ValueError(f"expected {len(slots)} vectors of {self.dim} numbers, got {vectors.shape}")
        self._reserve(int(slots.max()) + 1)
        self._rows[slots] = vectors
        self._live[slots] = True
        self.count = int(np.count_nonzero(self._live))

    def remove(self, slot: int) -> None:
        """Forget a slot's vector, if it has one."""
        if self.has(slot):
            self._live[slot] = False
            self.count -= 1

    def has(self, slot: int) -> bool:
        """Whether the slot has a vector."""
        return 0 <= slot < self._size and bool(self._live[slot])

    def get(self, slots: Slots) -> Vectors:
        """The vectors of slots that all have one."""
        return self._rows[slots]

    def top(self, query: Vector, k: int, allowed: Mask | None = None) -> tuple[Slots, Vector]:
        """The `k` nearest slots under the mask and their cosines, best first, ties by slot."""
        candidates = np.flatnonzero(self._usable(allowed))
        if len(candidates) * _GATHER_FACTOR < self._size:
            scores = dots(self._rows[candidates], query)
        else:
            scores = dots(self._rows[: self._size], query)
            if len(candidates) < self._size:
                scores = scores[candidates]
        return best(scores, candidates, k)

    def cosines(self, query: Vector, slots: Slots) -> Vector:
        """The cosine of each slot, in the given order; 0 for a slot without a vector."""
        cosines = np.zeros(len(slots), dtype=np.float32)
        inside = np.flatnonzero((slots >= 0) & (slots < self._size))
        known = inside[self._live[slots[inside]]]
        cosines[known] = dots(self._rows[slots[known]], query)
        return cosines

    def _usable(self, allowed: Mask | None) -> Mask:
        live = self._live[: self._size]
        if allowed is None:
            return live
        shared = min(self._size, len(allowed))
        return live[:shared] & allowed[:shared]

    def _reserve(self, size: int) -> None:
        if size > len(self._rows):
            capacity = max(size, 2 * len(self._rows), _MIN_CAPACITY)
            rows = np.zeros((capacity, self.dim), dtype=np.float32)
            rows[: self._size] = self._rows[: self._size]
            live = np.zeros(capacity, dtype=np.bool_)
            live[: self._size] = self._live[: self._size]
            self._rows, self._live = rows, live
        self._size = max(self._size, size)
