"""Search terms as numbers, and a chunk's terms as the bytes the catalog keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sightline.stores.catalog.records import TermCounts, TermIds

_MOST_COUNTED = 65535


class Vocabulary(dict[str, int]):
    """Every known term with its id; a term that is asked for as an item and is new gets a free one."""

    def __init__(self, terms: Iterable[tuple[str, int]] = (), epoch: str = "") -> None:
        super().__init__(terms)
        # Another one means that ids may stand for other terms.
        self.epoch = epoch
        self.highest = max(self.values(), default=0)
        self._free = self._gaps() if self.highest > len(self) else []
        self._fresh: list[tuple[int, str]] = []

    def __missing__(self, term: str) -> int:
        """Take in a new term."""
        id = self._free.pop() if self._free else self.highest + 1
        self.learn([(term, id)])
        self._fresh.append((id, term))
        return id

    def learn(self, terms: Iterable[tuple[str, int]]) -> None:
        """Take in terms that have their ids already."""
        for term, id in terms:
            self[term] = id
            self.highest = max(self.highest, id)

    def take_fresh(self) -> list[tuple[int, str]]:
        """The terms that are new since the last time, with their ids."""
        fresh, self._fresh = self._fresh, []
        return fresh

    def _gaps(self) -> list[int]:
        """The ids below the highest that no term has, lowest last."""
        used = np.zeros(self.highest + 1, np.bool_)
        used[np.fromiter(self.values(), np.int64, len(self))] = True
        gaps: list[int] = np.flatnonzero(~used[1:])[::-1].tolist()
        return [gap + 1 for gap in gaps]

    def numbered(self, counted: Sequence[Mapping[str, int]]) -> Iterator[tuple[TermIds, TermCounts]]:
        """The ids and counts of each text's terms."""
        ends = list(accumulate(map(len, counted), initial=0))
        # Loops in C over all texts: this runs for every term of every chunk.
        ids = np.fromiter(map(self.__getitem__, chain.from_iterable(counted)), np.uint32, ends[-1])
        counts = np.fromiter(chain.from_iterable(terms.values() for terms in counted), np.int64, ends[-1])
        short = np.minimum(counts, _MOST_COUNTED).astype(np.uint16)
        for start, end in pairwise(ends):
            yield ids[start:end], short[start:end]


def pack(ids: TermIds, counts: TermCounts) -> bytes:
    """What a chunk's `terms` column holds."""
    return ids.tobytes() + counts.tobytes()


def unpack(blob: bytes) -> tuple[TermIds, TermCounts]:
    """The ids and counts packed into a chunk's `terms` column."""
    size = len(blob) // 6
    return np.frombuffer(blob, np.uint32, size), np.frombuffer(blob, np.uint16, size, offset=4 * size)
