"""Search terms as numbers, and a chunk's terms as the bytes that the catalog stores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers, TermCounts, TermIds
from sightline.stores.catalog.term_counter import TermCounter


class StoredTerms(Protocol):
    """Terms that existed at the start, read only on demand."""

    @property
    def ids(self) -> NDArray[np.uint32]:
        """The ids of the terms, ascending."""

    def find(self, term: str) -> int | None:
        """The id of a term."""

    def items(self) -> Iterator[tuple[str, int]]:
        """Every term with its id."""


class _Ids(dict[str, int]):
    """Cache of term ids; a missing one is looked up, or assigned, on first use."""

    def __init__(self, terms: Iterable[tuple[str, int]], number: Callable[[str], int]) -> None:
        super().__init__(terms)
        self._number = number

    def __missing__(self, term: str) -> int:
        return self._number(term)


class Vocabulary:
    """Every known term with its id; a new term gets a free id."""

    def __init__(
        self, terms: Iterable[tuple[str, int]] = (), epoch: str = "", stored: StoredTerms | None = None
    ) -> None:
        # A different epoch means that ids may stand for other terms.
        self.epoch = epoch
        self._known = _Ids(terms, self._number)
        self._stored = stored
        # The terms that are not among the stored ones.
        self._later = dict(self._known) if stored else self._known
        highest = int(stored.ids[-1]) if stored and len(stored.ids) else 0
        self.highest = max(self._known.values(), default=highest)
        self._free: list[int] | None = None
        self._fresh: list[tuple[int, str]] = []
        # Only the writer counts.
        self._counter: TermCounter | None = None

    def __len__(self) -> int:
        return len(self._later) + (len(self._stored.ids) if self._stored else 0)

    def get(self, term: str, default: int | None = None) -> int | None:
        """The id of a known term."""
        id = self._known.get(term)
        if id is None and self._stored:
            id = self._stored.find(term)
            if id is not None:
                self._known[term] = id
        return default if id is None else id

    def ids(self) -> Integers:
        """The ids of all terms."""
        later = np.fromiter(self._later.values(), np.int64, len(self._later))
        return np.concatenate([self._stored.ids.astype(np.int64), later]) if self._stored else later

    def items(self) -> Iterator[tuple[str, int]]:
        """Every term with its id."""
        yield from self._stored.items() if self._stored else ()
        yield from self._later.items()

    def learn(self, terms: Iterable[tuple[str, int]]) -> None:
        """Add terms that were unknown here and already have an id."""
        for term, id in terms:
            self._known[term] = self._later[term] = id
            self.highest = max(self.highest, id)

    def take_fresh(self) -> list[tuple[int, str]]:
        """The terms that are new since the last call, with their ids."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def _number(self, term: str) -> int:
        """The id of a term that is not cached yet; a new id if the term is unknown."""
        if self._stored and (known := self.get(term)) is not None:
            return known
        if self._free is None:
            self._free = self._gaps() if self.highest > len(self) else []
        if self._free:
            id = self._free.pop()
        else:
            id = self.highest = self.highest + 1
        self._known[term] = self._later[term] = id
        self._fresh.append((id, term))
        return id

    def _gaps(self) -> list[int]:
        """The unused ids below the highest id, lowest last."""
        used = np.zeros(self.highest + 1, np.bool_)
        used[self.ids()] = True
        gaps: list[int] = np.flatnonzero(~used[1:])[::-1].tolist()
        return [gap + 1 for gap in gaps]

    def counted(self, texts: Sequence[str]) -> Iterator[tuple[TermIds, TermCounts]]:
        """The ids of each text's terms, and how often each occurs; a new term gets an id."""
        if self._counter is None:
            self._counter = TermCounter(self._known.__getitem__)
        return self._counter.count(texts)


def pack(ids: TermIds, counts: TermCounts) -> bytes:
    """The bytes of a chunk's `terms` column."""
    return ids.tobytes() + counts.tobytes()


def unpack(blob: bytes) -> tuple[TermIds, TermCounts]:
    """The ids and counts packed into a chunk's `terms` column."""
    size = len(blob) // 6
    return np.frombuffer(blob, np.uint32, size), np.frombuffer(blob, np.uint16, size, offset=4 * size)
