"""What every embedding model looks like to the rest of Sightline."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sightline.errors import SightlineError

Vector: TypeAlias = NDArray[np.float32]
Vectors: TypeAlias = NDArray[np.float32]


class ModelUnavailable(SightlineError):
    """A model cannot be used; the message says which, why, and what to do next."""


class Embedder(Protocol):
    """Turns texts into unit vectors; safe to call from several threads at once."""

    @property
    def id(self) -> str:
        """Name the exact weights, so that vectors of different models are never mixed."""

    @property
    def dim(self) -> int:
        """Return the length of every vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text as rows; a text without a known token gives a row of zeros."""

    def embed_query(self, text: str) -> Vector:
        """Return the unit vector of what a person typed."""


def unit_rows(rows: Vectors) -> Vectors:
    """Return the rows scaled to length one; those of zeros stay."""
    rows = rows.astype(np.float32, copy=False)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Vectors = rows / np.where(norms > 0, norms, np.float32(1))
    return unit
