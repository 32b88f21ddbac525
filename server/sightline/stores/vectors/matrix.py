"""Vectors in memory, by slot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, Mask, grown
from sightline.stores.memory.snapshot import Array, Growing
from sightline.stores.vectors.signs import Signs

Codes = NDArray[np.int8]

# Gathering rows copies them, which costs about as much as scanning this many times more rows in place.
_GATHER_FACTOR = 4
# The largest number of a row is this many coarse steps, and a coarse step is this many fine steps.
_COARSE_STEPS = 127
_FINE_STEPS = 254
# Rows converted at a time.
_BLOCK = 2048
# Up to this many candidates, or this many per wanted result, are scored exactly without a coarse scan.
_RESCORED = 2048
_LEAST_RATIO = 4
# How many scores are sampled to estimate where the best begin.
_SAMPLE = 1 << 14
_LEAST_RANK = 8
# With more rows than this, only those whose signs agree best with the query are scored: so many for each
# wanted result, and at least so many. With the 500 nearest of 500,000 vectors of real code wanted, that
# finds 0.999 of the ten nearest and 0.957 of all 500, in a fifth of the time.
_MOST_SCANNED = 200_000
# Up to this many rows are kept as floating point numbers too, from the first search on: converting them is
# most of what comparing them takes.
_MOST_DECODED = 1 << 13
# Under a filter that leaves less than this share of the rows, scoring all of these takes no longer.
_SIGNS_SHARE = 1 / 16
_SCORED_RATIO = 16
_LEAST_SCORED = 1 << 13


def dots(rows: Floats, query: Floats) -> Floats:
    """Every row's inner product with the query."""
    # A stack of one-row products is a plain dot product per row: one thread, and 2-3 times as fast as
    # `rows @ query`, which wakes every BLAS thread. Equal rows also get bit-identical scores wherever they
    # are, so ties stay ties.
    products: Floats = np.matmul(rows[:, None, :], query)[:, 0]
    return products


def best(scores: Floats, slots: Integers, k: int) -> tuple[Integers, Floats]:
    """The `k` best of `scores` by ascending slot; of equal ones the lowest slots. `slots` is ascending."""
    if k <= 0:
        return slots[:0], scores[:0]
    if k >= len(slots):
        return slots, scores
    bar = kth(scores, k)
    at = (scores >= bar).nonzero()[0]
    if len(at) > k:
        level = (scores.take(at) == bar).nonzero()[0]
        at = np.delete(at, level[k - len(at) :])
    return slots.take(at), scores.take(at)


class Matrix:
    """Unit vectors by slot; one writer at a time, and the caller excludes readers during a write.

    A number takes 16 bits: the coarse scan reads eight; the others are only for rows that it cannot separate.
    In a very large matrix the signs choose the rows that are scored: the scores are exact, the choice is not.
    """

    def __init__(self, dim: int, capacity: int = 0) -> None:
        self.dim = dim
        self.count = 0
        self._coarse: Codes = np.zeros((capacity, dim), dtype=np.int8)
        self._fine: Codes = np.zeros((capacity, dim), dtype=np.int8)
        self._scale: Floats = np.zeros(capacity, dtype=np.float32)
        self._live: Mask = np.zeros(capacity, dtype=np.bool_)
        self._signs = Signs(dim, capacity)
        # All rows, or none.
        self._decoded: Floats = np.zeros((0, dim), dtype=np.float32)
        self._size = 0

    def use(self, arrays: Mapping[str, Array], size: int) -> None:
        """Restore what `arrays` returned; the first `size` rows are in use."""
        self._coarse, self._fine = arrays["coarse"], arrays["fine"]
        self._scale, self._live = arrays["scale"], arrays["live"]
        self._size = size
        self._decoded = self._decoded[:0]
        self.count = int(np.count_nonzero(self._live[:size]))
        if not self._signs.use(arrays):
            self._signs.reserve(len(self._live))
            self._signs.set(np.arange(size), self._coarse[:size])

    def arrays(self, size: int) -> dict[str, Growing]:
        """The arrays from which `use` restores the first `size` rows."""
        self._reserve(size)
        return {
            "coarse": Growing(self._coarse[:size]),
            "fine": Growing(self._fine[:size]),
            "scale": Growing(self._scale[:size]),
            "live": Growing(self._live[:size]),
            **self._signs.arrays(size),
        }

    def set(self, slots: Integers, vectors: Floats) -> None:
        """Set the vector of each slot, replacing any it has."""
        if not len(slots):
            return
        if vectors.shape != (len(slots), self.dim):
            raise ValueError(f"expected {len(slots)} vectors of {self.dim} numbers, got {vectors.shape}")
        self._reserve(int(slots.max()) + 1)
        coarse, self._fine[slots], self._scale[slots] = _encoded(vectors)
        self._coarse[slots] = coarse
        self._signs.set(slots, coarse)
        if len(self._decoded):
            self._decoded = grown(self._decoded, self._size)
            self._decoded[slots] = self._decode(slots)
        self._live[slots] = True
        self.count = int(np.count_nonzero(self._live[: self._size]))

    def remove(self, slot: int) -> None:
        """Remove a slot's vector, if it has one."""
        if self.has(slot):
            self._live[slot] = False
            self.count -= 1

    def has(self, slot: int) -> bool:
        """Whether the slot has a vector."""
        return 0 <= slot < self._size and bool(self._live[slot])

    def get(self, slots: Integers) -> Floats:
        """The vectors of slots that all have one."""
        return self._decode(slots) if self._size > _MOST_DECODED else self._all_decoded()[slots]

    def _all_decoded(self) -> Floats:
        if not len(self._decoded):
            self._decoded = self._decode(np.arange(self._size))
        return self._decoded

    def _decode(self, slots: Integers) -> Floats:
        # `take` copies rows in half the time that indexing needs.
        numbers = self._fine.take(slots, axis=0).astype(np.float32)
        numbers *= np.float32(1 / _FINE_STEPS)
        numbers += self._coarse.take(slots, axis=0)
        numbers *= self._scale[slots][:, None]
        return numbers

    def nearest(self, query: Floats, k: int, allowed: Mask | None = None) -> tuple[Integers, Floats]:
        """The `k` nearest slots under the mask, ascending, and their cosines; of equal ones the lowest."""
        usable = self.usable(allowed)
        count = int(np.count_nonzero(usable))
        if k > 0 and max(_RESCORED, _LEAST_RATIO * k) < count and self._size > _MOST_DECODED:
            candidates = self._nearly_best(query, k, usable, count)
        else:
            candidates = np.flatnonzero(usable)
        return best(self._exact(query, candidates), candidates, k)

    def every(self, query: Floats, size: int) -> Floats | None:
        """The cosine of each slot below `size`, 0 without a vector; None if there are too many vectors."""
        if self._size > _MOST_DECODED:
            return None
        cosines = np.zeros(max(size, self._size), np.float32)
        cosines[: self._size] = dots(self._all_decoded()[: self._size], query)
        cosines[: self._size] *= self._live[: self._size]
        return cosines

    def cosines(self, query: Floats, slots: Integers) -> Floats:
        """The cosine of each slot, in the given order; 0 for a slot without a vector."""
        cosines = np.zeros(len(slots), dtype=np.float32)
        inside = np.flatnonzero((slots >= 0) & (slots < self._size))
        known = inside[self._live[slots[inside]]]
        cosines[known] = self._exact(query, slots[known])
        return cosines

    def _exact(self, query: Floats, slots: Integers) -> Floats:
        if self._size <= _MOST_DECODED and len(slots) * _GATHER_FACTOR > self._size:
            return dots(self._all_decoded()[: self._size], query)[slots]
        scores = np.empty(len(slots), dtype=np.float32)
        for start in range(0, len(slots), _BLOCK):
            part = slots[start : start + _BLOCK]
            scores[start : start + _BLOCK] = dots(self.get(part), query)
        return scores

    def _nearly_best(self, query: Floats, k: int, usable: Mask, count: int) -> Integers:
        """Every usable slot that may be among the `k` best, given the error of its coarse half."""
        slots = self._gathered(query, k, usable, count)
        if slots is not None:
            scores = self._coarse_scores(query, slots)
            return slots[self._near_the_best(query, k, scores, self._scale[slots])]
        scores = self._coarse_scores(query, None)[: len(usable)]
        if count < len(usable):
            scores[~usable] = -np.inf
        return self._near_the_best(query, k, scores, self._scale[: len(usable)])

    def _gathered(self, query: Floats, k: int, usable: Mask, count: int) -> Integers | None:
        """The slots to score if they are few enough to copy their vectors, None if all rows are scored."""
        scored = max(_LEAST_SCORED, _SCORED_RATIO * k)
        if len(usable) > _MOST_SCANNED and count > max(scored, len(usable) * _SIGNS_SHARE):
            chosen = self._signs.nearest(query, usable, scored)
            if len(chosen) >= k:
                return chosen
        return np.flatnonzero(usable) if count * _GATHER_FACTOR < len(usable) else None

    def _near_the_best(self, query: Floats, k: int, scores: Floats, scale: Floats) -> Integers:
        """The positions of the coarse scores that may belong to one of the `k` best."""
        # Rounding changes a number by at most half a step, weighted by the query's value at that position.
        off = np.float32(np.abs(query).sum() / 2)
        # All rows are compared by the largest error of any row, and only those that are left by their own.
        near = np.flatnonzero(scores >= kth(scores, k) - 2 * off * scale.max())
        error = scale[near] * off
        chosen: Integers = near[scores[near] + error >= kth(scores[near] - error, k)]
        return chosen

    def _coarse_scores(self, query: Floats, slots: Integers | None) -> Floats:
        size = self._size if slots is None else len(slots)
        scores = np.empty(size, dtype=np.float32)
        numbers = np.empty((min(size, _BLOCK), self.dim), dtype=np.float32)
        for first in range(0, size, _BLOCK):
            last = min(first + _BLOCK, size)
            # Converted block by block, so that the numbers stay in the processor cache.
            part = numbers[: last - first]
            rows = self._coarse[first:last] if slots is None else self._coarse.take(slots[first:last], axis=0)
            np.copyto(part, rows)
            scores[first:last] = dots(part, query)
        scores *= self._scale[:size] if slots is None else self._scale[slots]
        return scores

    def usable(self, allowed: Mask | None) -> Mask:
        """Which slots have a vector and are under the mask."""
        live = self._live[: self._size]
        if allowed is None:
            return live
        shared = min(self._size, len(allowed))
        return live[:shared] & allowed[:shared]

    def _reserve(self, size: int) -> None:
        self._coarse, self._fine = grown(self._coarse, size), grown(self._fine, size)
        self._scale, self._live = grown(self._scale, size), grown(self._live, size)
        self._signs.reserve(size)
        self._size = max(self._size, size)


def _encoded(vectors: Floats) -> tuple[Codes, Codes, Floats]:
    """Each number as a multiple of its row's coarse step, and the remainder as a multiple of a fine step."""
    scale = (np.abs(vectors).max(axis=1) / _COARSE_STEPS).astype(np.float32)
    steps = vectors / np.where(scale > 0, scale, np.float32(1))[:, None]
    coarse = np.rint(steps)
    fine = np.rint((steps - coarse) * _FINE_STEPS)
    return coarse.astype(np.int8), fine.astype(np.int8), scale


def kth(scores: Floats, k: int) -> np.float32:
    """The `k`-th best score; a sample estimates where the best begin, so that not all have to be sorted."""
    step = len(scores) // max(_SAMPLE, _LEAST_RATIO * k)
    if step < 2:
        least: np.float32 = np.partition(scores, len(scores) - k)[len(scores) - k]
        return least
    sample, above = scores[::step], scores[:0]
    # About twice as many scores as needed are as good as this rank of the sample, and surely enough as `k`.
    for rank in (min(k, 2 * k // step + _LEAST_RANK), k):
        if len(above) < k:
            # Negative, because many equal scores, as those that a filter excludes, make it slow.
            above = scores[scores >= -np.partition(-sample, rank - 1)[rank - 1]]
    bar: np.float32 = np.partition(above, len(above) - k)[len(above) - k]
    return bar
