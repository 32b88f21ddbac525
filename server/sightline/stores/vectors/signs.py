"""The signs of vectors, one bit a number: they tell quickly which of very many vectors are worth scoring."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, Mask, grown
from sightline.stores.memory.snapshot import Array, Growing

Agreement = NDArray[np.uint16]
_Words = NDArray[np.uint64]

# The bits of four words are counted at once.
_GROUP = 4
_GROUP_BITS = _GROUP * 64
# Multiplied by this, the highest byte of a number is the sum of its four bytes.
_ADD_BYTES = np.uint32(0x01010101)
_HIGHEST_BYTE = np.uint32(24)
# Rows compared at a time, so that intermediate results stay in the processor cache.
_BLOCK = 1 << 14
# The signs of the query choose so many times more rows than its levels do.
_ROUGHLY = 4
# About so many of the best values are read to find out where the best begin.
_SAMPLED = 1 << 11


class Signs:
    """The signs of the vectors by slot, a function of the vectors alone; a row has 64 numbers in a word."""

    def __init__(self, dim: int, capacity: int) -> None:
        groups = -(-dim // _GROUP_BITS)
        self._words: _Words = np.zeros((capacity, groups * _GROUP), np.uint64)

    def reserve(self, size: int) -> None:
        """Make room for `size` rows."""
        self._words = grown(self._words, size)

    def set(self, slots: Integers, vectors: Array) -> None:
        """Set the signs of some slots, for which there is room."""
        self._words[slots] = _packed(vectors > 0)

    def arrays(self, size: int) -> dict[str, Growing]:
        """The arrays from which `use` restores the first `size` rows."""
        return {"signs": Growing(self._words[:size])}

    def use(self, arrays: Mapping[str, Array]) -> bool:
        """Restore what `arrays` returned; False if it is not there, as in snapshots of earlier versions."""
        found = arrays.get("signs")
        if found is not None:
            self._words = found
        return found is not None

    def nearest(self, query: Floats, usable: Mask, count: int) -> Integers:
        """About `count` usable slots, ascending, whose signs agree best with the query.

        The numbers of the query are taken at four levels: its signs alone, which are compared first, leave
        twice as many rows to be scored for the same result.
        """
        step = np.abs(query).mean()
        rough = _agreement(self._words[: len(usable)], query > 0)
        rough *= usable
        slots = _best(rough, _ROUGHLY * count)
        within = np.where(query > 0, query > step, query > -step)
        fine = 2 * rough[slots] + _agreement(self._words.take(slots, axis=0), within)
        return slots[_best(fine, count)]


def _agreement(words: _Words, bits: Mask) -> Agreement:
    """How many bits of each row are equal to the given ones.

    A group of which all bits differ counts as equal, because the sum of its bytes does not fit a byte: an
    opposite vector is scored like a near one, and loses.
    """
    rows, width = words.shape
    # A copy for each row of a block: numpy is slow at comparing short rows with one.
    asked = np.tile(_packed(bits[None, :]).ravel(), min(rows, _BLOCK))
    different, counts = np.empty(len(asked), np.uint64), np.empty(rows * width, np.uint8)
    flat, step = words.reshape(-1), max(1, len(asked))
    for first in range(0, len(flat), step):
        part = flat[first : first + step]
        found = np.bitwise_xor(part, asked[: len(part)], different[: len(part)])
        np.bitwise_count(found, counts[first : first + step])
    groups = counts.view(np.uint32)
    groups *= _ADD_BYTES
    groups >>= _HIGHEST_BYTE
    agreement = np.full(rows, width * 64, np.uint16)
    for at in range(width // _GROUP):
        agreement -= groups[at :: width // _GROUP].astype(np.uint16)
    return agreement


def _best(values: Agreement, count: int) -> Integers:
    """The positions of about the `count` largest values that are not 0."""
    step = max(1, count // _SAMPLED)
    sample = np.bincount(values[::step])[::-1].cumsum()
    bar = len(sample) - 1 - int(np.searchsorted(sample, count // step))
    return np.flatnonzero(values >= max(1, bar))


def _packed(bits: NDArray[np.bool_]) -> _Words:
    """The bits of each row as words, in whole groups."""
    padding = -bits.shape[1] % _GROUP_BITS
    padded = np.pad(bits, ((0, 0), (0, padding))) if padding else bits
    words: _Words = np.packbits(padded, axis=1).view(np.uint64)
    return words
