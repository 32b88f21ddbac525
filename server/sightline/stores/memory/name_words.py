"""The stemmed words that each name of an index consists of."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers
from sightline.stores.memory.columns import Columns
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.snapshot import Array, Arrays, below, prefixed
from sightline.stores.memory.strings import ranges
from sightline.words import stems

_HEAD_BYTES = 8


class NameWords:
    """The words of all names, both as numbers; names are only ever added."""

    def __init__(self, names: Interner) -> None:
        self._names = names
        self._lock = threading.Lock()
        self._words = Interner()
        # The words of name `n` are those from `end[n]` to `end[n + 1]`.
        self._ends = Columns({"end": np.int64})
        self._ends.append(end=0)
        self._flat = Columns({"word": np.int32})
        # The mapped words in alphabetical order, and those that were added since.
        self._order: NDArray[np.int32] = np.zeros(0, np.int32)
        # The first bytes of each of the former as a number, which sorts as the words do.
        self._heads: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self._later: list[str] = []

    def use(self, arrays: Mapping[str, Array], names: int) -> None:
        """Restore what `arrays` returned for this many names."""
        self._words.use(below("words", arrays))
        self._order, self._heads, self._later = arrays["order"], arrays["heads"], []
        self._ends.use(arrays, names + 1)
        self._flat.use(arrays, int(arrays["end"][names]))

    def arrays(self) -> Arrays:
        """What `use` takes, for all names."""
        self.follow()
        words = self._words.since(0)
        order = sorted(range(len(words)), key=words.__getitem__)
        return {
            **prefixed("words", self._words.arrays()),
            "order": np.array(order, np.int32),
            "heads": np.fromiter((_head(_bytes(words[at])) for at in order), np.uint64, len(order)),
            **self._ends.arrays(),
            **self._flat.arrays(),
        }

    def follow(self) -> None:
        """Add the names that are new since the last call."""
        with self._lock:
            known = self._ends.size - 1
            if known == len(self._names):
                return
            words = [dict.fromkeys(stems(name)) for name in self._names.since(known)]
            first = len(self._words)
            codes = self._words.codes([word for each in words for word in each])
            sizes = np.fromiter(map(len, words), np.int64, len(words))
            self._flat.extend({"word": codes}, len(codes))
            self._ends.extend({"end": self._ends["end"][-1] + np.cumsum(sizes)}, len(words))
            self._later = sorted([*self._later, *self._words.since(first)])

    def every(self) -> tuple[Integers, NDArray[np.int32]]:
        """The same as `lists` for all names, without copying the words."""
        ends = self._ends["end"]
        return ends[1:] - ends[:-1], self._flat["word"]

    def lists(self, names: Integers) -> tuple[Integers, NDArray[np.int32]]:
        """How many words each of some names has, and the words of one name after the other."""
        ends = self._ends["end"]
        firsts = ends.take(names)
        sizes = ends.take(names + 1) - firsts
        return sizes, self._flat["word"].take(ranges(firsts, sizes))

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, number: int) -> str:
        return self._words[number]

    def find(self, word: str) -> int | None:
        """The number of a word, if a name has it."""
        return self._words.find(word)

    def find_some(self, words: Sequence[str]) -> dict[str, int]:
        """The numbers of those of some words that a name has."""
        return self._words.find_some(words)

    def starting_with(self, prefixes: Sequence[str]) -> list[list[int]]:
        """For each of some prefixes, the numbers of the words that start with it."""
        starts = [_bytes(prefix) for prefix in prefixes]
        lowest, highest = (
            np.array([_head(start, filler) for start in starts], np.uint64) for filler in (b"\x00", b"\xff")
        )
        firsts = self._heads.searchsorted(lowest).tolist()
        lasts = self._heads.searchsorted(highest, "right").tolist()
        return [
            self._mapped_from(prefix, self._order[first:last].tolist()) + self._later_from(prefix)
            for prefix, first, last in zip(prefixes, firsts, lasts, strict=True)
        ]

    def _mapped_from(self, prefix: str, found: list[int]) -> list[int]:
        """Those of the words that start with the head of a prefix that start with all of it."""
        if len(_bytes(prefix)) <= _HEAD_BYTES:
            return found
        return [number for number in found if self._words[number].startswith(prefix)]

    def _later_from(self, prefix: str) -> list[int]:
        """The words that start with a prefix among those added since."""
        found, later = [], self._later
        at = bisect_left(later, prefix)
        while at < len(later) and later[at].startswith(prefix):
            found.append(self._words.code(later[at]))
            at += 1
        return found


def _bytes(word: str) -> bytes:
    # Names may come from files of any encoding.
    return word.encode("utf-8", "surrogatepass")


def _head(word: bytes, filler: bytes = b"\x00") -> int:
    """The first bytes of a word as a number; a shorter word is filled up."""
    return int.from_bytes(word[:_HEAD_BYTES].ljust(_HEAD_BYTES, filler), "big")
