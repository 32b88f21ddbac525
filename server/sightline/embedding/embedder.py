"""The interface of every embedding model."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from sightline.arrays import Floats
from sightline.errors import SightlineError


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

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return one unit vector per text as rows; a text without a known token gives a row of zeros."""

    def embed_query(self, text: str) -> Floats:
        """Return the unit vector of what the user typed."""


def unit_rows(rows: Floats) -> Floats:
    """Return the rows scaled to length one; rows of zeros stay."""
    rows = rows.astype(np.float32, copy=False)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Floats = rows / np.where(norms > 0, norms, np.float32(1))
    return units


def unit(row: Floats) -> Floats:
    """Return one row scaled to length one, as `unit_rows` does, in a third of the time."""
    norm = np.sqrt(np.add.reduce(row * row))
    return row / norm if norm > 0 else row
