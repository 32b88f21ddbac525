"""The ids of identifiers: each distinct one is taken apart once, and many that are new at one time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from threading import Lock

import numpy as np

from sightline.arrays import Integers, grown

# About 20 MB; a folder with more distinct identifiers than this contains data, whose words do not recur.
_MOST_IDENTIFIERS = 100_000

# The ids of some identifiers, one identifier after another, and how many each has.
Found = tuple[Integers, Integers]


def ends_of(parts: Sequence[Sequence[object]]) -> Integers:
    """Where each part ends in all of them together, after a zero."""
    return _sums(np.fromiter(map(len, parts), np.int64, len(parts)))


def _sums(sizes: Integers) -> Integers:
    """The sum of the sizes up to each one, after a zero."""
    found = np.zeros(len(sizes) + 1, np.int64)
    sizes.cumsum(out=found[1:])
    return found


class _Known:
    """The identifiers that were seen, and the ids of each."""

    def __init__(self) -> None:
        # The next number is the count of those before: so no Python runs for a new identifier.
        self.numbers: defaultdict[str, int] = defaultdict()
        self.numbers.default_factory = self.numbers.__len__
        self.size = 0
        # The ids of identifier `n` are `ids[ends[n]:ends[n + 1]]`.
        self.ids: Integers = np.zeros(0, np.int64)
        self.ends: Integers = np.zeros(1, np.int64)

    def fresh(self) -> list[str]:
        """The identifiers that have a number and no ids yet, in order."""
        return list(islice(reversed(self.numbers), len(self.numbers) - self.size))[::-1]

    def add(self, ids: Integers, sizes: Integers) -> None:
        """Add the ids of the fresh identifiers."""
        first, size = int(self.ends[self.size]), self.size + len(sizes)
        self.ends = grown(self.ends, size + 1)
        self.ends[self.size + 1 : size + 1] = first + np.cumsum(sizes)
        end = first + len(ids)
        self.ids = grown(self.ids, end)
        self.ids[first:end] = ids
        self.size = size


class IdentifierIds:
    """Numbers the identifiers it sees, and stores the ids of each; threads may share it.

    A text then needs a split and a look-up for each identifier; all that is done for each id is done by
    numpy, for many texts at once.
    """

    def __init__(self, find: Callable[[Sequence[str]], Found]) -> None:
        self._find = find
        self._lock = Lock()
        self._known = _Known()

    def of_texts(self, texts: Sequence[Sequence[str]]) -> tuple[Integers, Integers]:
        """The ids of the identifiers of all texts in order, and for each the row of its text."""
        bounds = ends_of(texts)
        numbers, known_ids, ends = self._numbered(chain.from_iterable(texts), int(bounds[-1]))
        starts = ends.take(numbers)
        sizes = ends.take(numbers + 1) - starts
        reached = _sums(sizes)
        ids = known_ids.take(np.arange(int(reached[-1])) + np.repeat(starts - reached[:-1], sizes))
        return ids, np.repeat(np.arange(len(texts)), np.diff(reached.take(bounds)))

    def _numbered(self, identifiers: Iterable[str], count: int) -> tuple[Integers, Integers, Integers]:
        """The numbers of identifiers, and the ids that are known, with their ends."""
        with self._lock:
            if self._known.size > _MOST_IDENTIFIERS:
                self._known = _Known()
            known = self._known
            numbers = np.fromiter(map(known.numbers.__getitem__, identifiers), np.int64, count)
            if fresh := known.fresh():
                known.add(*self._find(fresh))
            # What is added later is written behind what they contain now, or into larger copies.
            return numbers, known.ids, known.ends
