"""Search among too many vectors to scan: Chroma proposes candidates, the exact vectors score them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from sightline.arrays import Floats, Integers, Mask
from sightline.stores.memory.key_table import KeyTable
from sightline.stores.vectors.chroma import StoreUnavailable
from sightline.stores.vectors.matrix import Matrix, best

# Below this many vectors, scoring all is faster than finding enough of them with HNSW under a filter.
_EXACT_BELOW = 5000
_FIRST_FETCH = 400
_FETCH_FACTOR = 4
_LARGEST_FETCH = 6400


class Retriever(Protocol):
    """What finds candidates; `ChromaWriter` is one."""

    def query(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Keys near a vector, best first; StoreUnavailable if the store cannot be queried."""

    def unwritten(self) -> set[int] | None:
        """Keys that a query cannot find yet; None if unknown."""


class Approximate:
    """Searches a matrix among the candidates that Chroma selects; scores are exact, but it may miss some."""

    def __init__(self, matrix: Matrix, keys: KeyTable, retriever: Retriever) -> None:
        self._matrix = matrix
        self._keys = keys
        self._retriever = retriever

    def nearest(self, query: Floats, k: int, allowed: Mask | None = None) -> tuple[Integers, Floats]:
        """The `k` nearest slots under the mask, ascending, and their cosines; never fewer."""
        usable = self._matrix.usable(allowed)
        if np.count_nonzero(usable) > max(_EXACT_BELOW, k):
            for candidates in self._proposals(query, k):
                inside = candidates[candidates < len(usable)]
                chosen = inside[usable[inside]]
                if len(chosen) >= k:
                    return best(self._matrix.cosines(query, chosen), chosen, k)
        return self._matrix.nearest(query, k, allowed)

    def _proposals(self, query: Floats, k: int) -> Iterator[Integers]:
        """Increasingly large sets of slots worth scoring, ascending; none if the store is unavailable."""
        unwritten = self._retriever.unwritten()
        if unwritten is None or len(unwritten) > _LARGEST_FETCH:
            return
        wanted = max(_FIRST_FETCH, _FETCH_FACTOR * k)
        while wanted <= max(_LARGEST_FETCH, _FETCH_FACTOR * k):
            try:
                found = self._retriever.query(query, wanted)
            except StoreUnavailable:
                return
            yield self._keys.slots({key for key, _ in found} | unwritten)
            if len(found) < wanted:
                return
            wanted *= _FETCH_FACTOR
