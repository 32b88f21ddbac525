"""The vectors of one model: one vector per chunk, and one per file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sightline.arrays import Floats, Integers, Mask
from sightline.stores.vectors.matrix import Matrix


class VectorStore(Protocol):
    """Vectors by slot, scored by cosine; exact in memory or through Chroma, with the same interface."""

    @property
    def matrix(self) -> Matrix:
        """What holds the vectors."""

    def set(self, slots: Integers, vectors: Floats) -> None:
        """Set the vectors of slots."""

    def remove(self, slot: int) -> None:
        """Remove a slot's vector."""

    def get(self, slots: Integers) -> Floats:
        """The vectors of given slots."""

    def top(self, query: Floats, k: int, allowed: Mask | None) -> tuple[Integers, Floats]:
        """The nearest slots under the mask, best first."""

    def cosines(self, query: Floats, slots: Integers) -> Floats:
        """The similarity of given slots; 0 where there is no vector."""


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """One model's vectors for a folder; vectors of two models are never mixed in one space."""

    model: str
    dim: int
    chunks: VectorStore
    files: Matrix

    @property
    def chunk_matrix(self) -> Matrix:
        """The vectors of the chunks themselves."""
        return self.chunks.matrix
