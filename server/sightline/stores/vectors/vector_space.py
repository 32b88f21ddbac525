"""The vectors of one model: a vector a chunk, and one a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sightline.stores.vectors.matrix import Matrix

Slots = NDArray[np.int64]
Scores = NDArray[np.float32]
Mask = NDArray[np.bool_]


class VectorStore(Protocol):
    """Vectors by slot, scored by cosine; exact in memory or through Chroma, search does not care."""

    @property
    def matrix(self) -> Matrix:
        """What holds the vectors."""

    def set(self, slots: Slots, vectors: NDArray[np.float32]) -> None:
        """Put vectors in."""

    def remove(self, slot: int) -> None:
        """Take a vector out."""

    def get(self, slots: Slots) -> NDArray[np.float32]:
        """The vectors of given slots."""

    def top(self, query: NDArray[np.float32], k: int, allowed: Mask | None) -> tuple[Slots, Scores]:
        """The nearest slots under the mask, best first."""

    def cosines(self, query: NDArray[np.float32], slots: Slots) -> Scores:
        """The similarity of given slots; 0 where there is no vector."""


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """One model's vectors of a folder; vectors of two models are never in one space."""

    model: str
    dim: int
    chunks: VectorStore
    files: Matrix

    @property
    def chunk_matrix(self) -> Matrix:
        """The vectors of the chunks themselves."""
        return self.chunks.matrix
