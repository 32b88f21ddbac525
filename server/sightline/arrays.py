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
# The ids of search terms, and how often each occurs.
TermIds: TypeAlias = NDArray[np.uint32]
TermCounts: TypeAlias = NDArray[np.uint16]

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


def distinct(values: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """The distinct ones of some numbers, ascending; `np.unique` imports masked arrays, in 15 ms."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    found: NDArray[_Scalar] = ordered[first]
    return found


def firsts(values: NDArray[_Scalar]) -> Integers:
    """The positions where each value occurs for the first time."""
    order, starts = _grouped(values)
    # Sorting stably would take twice as long.
    found: Integers = np.minimum.reduceat(order, starts) if len(order) else order
    found.sort()
    return found


def repeated(values: NDArray[_Scalar]) -> Integers:
    """The positions of the values that occur more than once, value by value."""
    order = values.argsort()
    ordered = values.take(order)
    # Whether each value equals the one before it; and at the end, that nothing follows.
    equal = np.zeros(len(ordered) + 1, np.bool_)
    np.equal(ordered[1:], ordered[:-1], out=equal[1:-1])
    found: Integers = order.take((equal[1:] | equal[:-1]).nonzero()[0])
    return found


def _grouped(values: NDArray[_Scalar]) -> tuple[Integers, Integers]:
    """Positions by value, and where those of each value begin."""
    order = values.argsort()
    ordered = values.take(order)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return order, first.nonzero()[0]


def falling(scores: Floats) -> Integers:
    """Whole numbers of 32 bits in the opposite order of some scores, equal for equal scores."""
    # The sign of a zero must not count.
    bits = (scores.astype(np.float32, copy=False) + np.float32(0)).view(np.int32).astype(np.int64)
    # The bits of negative numbers are in the opposite order.
    order: Integers = -(bits ^ (bits >> 63 & 0x7FFFFFFF))
    return order


def among(values: NDArray[_Scalar], ordered: NDArray[_Scalar]) -> Mask:
    """Which of some numbers are among others, which are in order; `np.isin` may need masked arrays too."""
    if not len(ordered):
        return np.zeros(len(values), np.bool_)
    places = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
    found: Mask = ordered[places] == values
    return found


def distinct_codes(codes: NDArray[np.int32], size: int) -> tuple[Integers, NDArray[np.int32]]:
    """The distinct ones of some numbers below `size`, ascending, and where each number is among them.

    Like `np.unique`, but marks them in an array instead of sorting them, which takes half the time.
    """
    seen = np.zeros(size, np.bool_)
    seen[codes] = True
    distinct = seen.nonzero()[0]
    place = np.empty(size, np.int32)
    place[distinct] = np.arange(len(distinct))
    return distinct, place.take(codes)
