"""The vectors of one model: one vector per chunk, and one per file."""

from __future__ import annotations

from dataclasses import dataclass

from sightline.arrays import Floats, Integers, Mask
from sightline.stores.vectors.approximate import Approximate
from sightline.stores.vectors.matrix import Matrix


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """One model's vectors for a folder; vectors of two models are never mixed in one space."""

    model: str
    dim: int
    chunks: Matrix
    files: Matrix
    # Finds the nearest chunks through Chroma; None if all are compared in memory.
    approximate: Approximate | None = None

    def nearest(self, query: Floats, k: int, allowed: Mask | None) -> tuple[Integers, Floats]:
        """The nearest chunks under the mask by ascending slot, and their cosines."""
        return (self.approximate or self.chunks).nearest(query, k, allowed)

    def every(self, query: Floats, size: int) -> Floats | None:
        """The cosine of every chunk's slot below `size`, if that is how the nearest ones are found."""
        return None if self.approximate else self.chunks.every(query, size)
