"""Counts the search terms of texts by their ids; the terms of each distinct identifier are found once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise

import numpy as np

from sightline.arrays import Integers, TermCounts, TermIds, grown
from sightline.words import identifiers_in, terms_of

_MAX_COUNT = 65535
# About 20 MB; a folder with more distinct identifiers than this contains data, whose words do not recur.
_MOST_IDENTIFIERS = 100_000
# Texts counted at once: their numbers fit into the cache of the processor, which saves a sixth of the time.
_BLOCK = 64
# A document and a term in one number.
_TERM_BITS = 32


class TermCounter:
    """Numbers the identifiers it sees, and stores the ids of each one's terms.

    A text then needs a split and a look-up for each identifier; all that is done for each term is done by
    numpy, for many texts at once.
    """

    def __init__(self, id_of: Callable[[str], int]) -> None:
        self._id_of = id_of
        self._numbers = _Numbers(self._number)
        # The ids of identifier `n` are `ids[ends[n]:ends[n + 1]]`; those of new ones wait in a list.
        self._ids: Integers = np.zeros(0, np.int64)
        self._ends: Integers = np.zeros(1, np.int64)
        self._size = 0
        self._new: list[list[int]] = []

    def count(self, texts: Sequence[str]) -> Iterator[tuple[TermIds, TermCounts]]:
        """The ids of each text's terms, ascending, and how often each occurs."""
        for start in range(0, len(texts), _BLOCK):
            yield from self._count(texts[start : start + _BLOCK])

    def _count(self, texts: Sequence[str]) -> Iterator[tuple[TermIds, TermCounts]]:
        if self._size > _MOST_IDENTIFIERS:
            self._numbers.clear()
            self._size = 0
        ids, owners = self._terms([identifiers_in(text) for text in texts])
        found, counts = np.unique(owners << _TERM_BITS | ids, return_counts=True)
        short = np.minimum(counts, _MAX_COUNT).astype(np.uint16)
        ids = (found & ((1 << _TERM_BITS) - 1)).astype(np.uint32)
        bounds = np.searchsorted(found, np.arange(len(texts) + 1) << _TERM_BITS).tolist()
        for start, end in pairwise(bounds):
            yield ids[start:end], short[start:end]

    def _terms(self, found: Sequence[Sequence[str]]) -> tuple[Integers, Integers]:
        """The ids of all terms of all identifiers, and for each the row of its text."""
        lengths = np.fromiter(map(len, found), np.int64, len(found))
        numbers = np.fromiter(
            map(self._numbers.__getitem__, chain.from_iterable(found)), np.int64, int(lengths.sum())
        )
        self._add_new()
        starts = self._ends[numbers]
        sizes = self._ends[numbers + 1] - starts
        shifts = starts - (np.cumsum(sizes) - sizes)
        ids = self._ids[np.arange(int(sizes.sum())) + np.repeat(shifts, sizes)]
        return ids, np.repeat(np.repeat(np.arange(len(found)), lengths), sizes)

    def _number(self, identifier: str) -> int:
        self._new.append([self._id_of(term) for term in terms_of(identifier)])
        return self._size + len(self._new) - 1

    def _add_new(self) -> None:
        """Append the terms of the identifiers that were seen for the first time."""
        if not self._new:
            return
        last, size = int(self._ends[self._size]), self._size + len(self._new)
        sizes = np.fromiter(map(len, self._new), np.int64, len(self._new))
        self._ends = grown(self._ends, size + 1)
        self._ends[self._size + 1 : size + 1] = last + np.cumsum(sizes)
        end = int(self._ends[size])
        self._ids = grown(self._ids, end)
        self._ids[last:end] = np.fromiter(chain.from_iterable(self._new), np.int64, end - last)
        self._size, self._new = size, []


class _Numbers(dict[str, int]):
    """The numbers of the identifiers that were seen."""

    def __init__(self, number: Callable[[str], int]) -> None:
        super().__init__()
        self._number = number

    def __missing__(self, identifier: str) -> int:
        number = self[identifier] = self._number(identifier)
        return number
