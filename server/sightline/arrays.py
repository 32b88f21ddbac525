"""The array types of the index, each defined once, and how an array grows."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

# Scores, signals and vectors.
Floats: TypeAlias = NDArray[np.float32]
# Slots, file numbers and positions.
Integers: TypeAlias = NDArray[np.int64]
# Which slots are selected.
Mask: TypeAlias = NDArray[np.bool_]

_Scalar = TypeVar("_Scalar", bound=np.generic)
# The first capacity of an array that grows.
_LEAST_ROWS = 1024


def grown(array: NDArray[_Scalar], rows: int) -> NDArray[_Scalar]:
    """The array, or a copy of at least twice the size if it has fewer rows; new rows are zero."""
    if rows <= len(array):
        return array
    larger = np.zeros((max(rows, 2 * len(array), _LEAST_ROWS), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
