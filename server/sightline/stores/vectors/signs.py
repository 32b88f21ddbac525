"""The signs of vectors, one bit a number: they tell quickly which of very many vectors are worth scoring."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, Mask, grown
from sightline.stores.memory.snapshot import Array, Growing

Agreement = NDArray[np.uint16]
_Word = NDArray[np.uint64]

_WORD_BITS = 64
# Rows compared at a time, so that intermediate results stay in the processor cache.
_BLOCK = 1 << 15
# The signs of the query choose so many times more rows than its levels do.
_ROUGHLY = 4
# One in this many values is read to find out where the best begin.
_SAMPLED = 4


class Signs:
    """The signs of the vectors by slot, a function of the vectors alone; 64 numbers of all rows an array."""

    def __init__(self, dim: int, capacity: int) -> None:
        words = -(-dim // _WORD_BITS)
        self._words: list[_Word] = [np.zeros(capacity, np.uint64) for _ in range(words)]

    def reserve(self, size: int) -> None:
        """Make room for `size` rows."""
        self._words = [grown(word, size) for word in self._words]

    def set(self, slots: Integers, vectors: Array) -> None:
        """Set the signs of some slots, for which there is room."""
        for word, bits in zip(self._words, _packed(vectors > 0), strict=True):
            word[slots] = bits

    def arrays(self, size: int) -> dict[str, Growing]:
        """The arrays from which `use` restores the first `size` rows."""
        return {f"signs{at}": Growing(word[:size]) for at, word in enumerate(self._words)}

    def use(self, arrays: Mapping[str, Array]) -> bool:
        """Restore what `arrays` returned; False if it is not there, as in snapshots of earlier versions."""
        words = [arrays.get(f"signs{at}") for at in range(len(self._words))]
        found = [word for word in words if word is not None]
        if len(found) == len(words):
            self._words = found
        return len(found) == len(words)

    def nearest(self, query: Floats, usable: Mask, count: int) -> Integers:
        """About `count` usable slots, ascending, whose signs agree best with the query.

        The numbers of the query are taken at four levels: its signs alone, which are compared first, leave
        twice as many rows to be scored for the same result.
        """
        step = np.abs(query).mean()
        rough = self._agreement(query > 0, slice(0, len(usable)))
        rough *= usable
        slots = _best(rough, _ROUGHLY * count)
        within = np.where(query > 0, query > step, query > -step)
        fine = 2 * rough[slots] + self._agreement(within, slots)
        return slots[_best(fine, count)]

    def _agreement(self, bits: Mask, rows: slice | Integers) -> Agreement:
        """How many bits of each row are equal to the given ones."""
        # Inverted, so that equal bits are counted.
        asked = _packed(~bits[None, :])
        words = [word[rows] for word in self._words]
        total = np.zeros(len(words[0]), np.uint16)
        equal, count = np.empty(_BLOCK, np.uint64), np.empty(_BLOCK, np.uint8)
        for first in range(0, len(total), _BLOCK):
            part = total[first : first + _BLOCK]
            for word, number in zip(words, asked, strict=True):
                found = np.bitwise_xor(word[first : first + _BLOCK], number, equal[: len(part)])
                part += np.bitwise_count(found, count[: len(part)])
        return total


def _best(values: Agreement, count: int) -> Integers:
    """The positions of about the `count` largest values that are not 0."""
    sample = np.bincount(values[::_SAMPLED])[::-1].cumsum()
    bar = len(sample) - 1 - int(np.searchsorted(sample, count // _SAMPLED))
    return np.flatnonzero(values >= max(1, bar))


def _packed(bits: NDArray[np.bool_]) -> list[_Word]:
    """The bits of each row as words, by word."""
    padding = -bits.shape[1] % _WORD_BITS
    padded = np.pad(bits, ((0, 0), (0, padding))) if padding else bits
    words: _Word = np.packbits(padded, axis=1).view(np.uint64)
    return list(words.T)
