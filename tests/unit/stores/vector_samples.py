"""Vectors and sources that several tests of the stores share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, Mask
from sightline.stores.vectors.matrix import Matrix

DIM = 16


def unit(count: int, seed: int, dim: int = DIM) -> NDArray[np.float32]:
    """Random vectors of length one."""
    rows = np.random.default_rng(seed).standard_normal((count, dim)).astype(np.float32)
    normed: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return normed


def best_first(matrix: Matrix, query: Floats, k: int, allowed: Mask | None = None) -> tuple[Integers, Floats]:
    """The `k` nearest slots and their cosines, best first."""
    slots, cosines = matrix.nearest(query, k, allowed)
    order = np.argsort(-cosines, kind="stable")
    return slots[order], cosines[order]


def random_keys(count: int, seed: int) -> list[int]:
    """Distinct keys over the whole range, negative ones too."""
    drawn = np.random.default_rng(seed).integers(-(2**63), 2**63 - 1, count)
    return [int(key) for key in np.unique(drawn)]


@dataclass
class Source:
    """A source of vectors like the catalog, in a dictionary."""

    vectors: dict[int, NDArray[np.float32]] = field(default_factory=dict)
    before_fetch: Callable[[], None] = lambda: None

    def fill(self, count: int, seed: int) -> list[int]:
        """Add new vectors and return their keys."""
        keys = random_keys(count, seed)
        self.vectors.update(zip(keys, unit(len(keys), seed), strict=True))
        return keys

    def chunk_keys(self) -> set[int]:
        """All keys."""
        return set(self.vectors)

    def vectors_of(self, keys: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The vectors that exist, in another order than requested."""
        self.before_fetch()
        known = [key for key in reversed(keys) if key in self.vectors]
        rows = np.array([self.vectors[key] for key in known], np.float32).reshape(-1, DIM)
        return np.array(known, np.int64), rows
