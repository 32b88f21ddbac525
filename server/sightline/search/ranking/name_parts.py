"""How much of the query a definition's name covers, and how much of the name the query covers."""

from __future__ import annotations

import threading
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator

import numpy as np

from sightline.arrays import Floats, Integers
from sightline.search.ranking.retrieve import Term
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.words import split, stem

# `failed` and `failure` have different stems with a common prefix; a shorter prefix may match by accident.
_LEAST_PREFIX = 4


class NameParts:
    """Maps words to the names in an index that contain them; names are only ever added."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known = 0
        self._codes: dict[str, array[int]] = {}
        self._sorted: list[str] = []
        self._sizes = array("f")

    def follow(self, memory: MemoryIndex) -> None:
        """Add the names that are new since the last call."""
        with self._lock:
            fresh = memory.names.since(self._known)
            for code, name in enumerate(fresh, self._known):
                parts = {stem(part) for part in split(name)}
                for part in parts:
                    self._codes.setdefault(part, array("q")).append(code)
                self._sizes.append(max(1, len(parts)))
            if fresh:
                self._known += len(fresh)
                self._sorted = sorted(self._codes)

    def matches(self, terms: Iterable[Term]) -> tuple[Floats, Floats]:
        """By name, the share of the query's information it covers, and of its words that the query has."""
        with self._lock:
            shares, precisions = np.zeros(self._known, np.float32), np.zeros(self._known, np.float32)
            total, known = 0.0, set[str]()
            for term in terms:
                total += term.idf
                like = set(self._like(term.text))
                matching = np.zeros(self._known, np.bool_)
                for part in like:
                    matching[np.array(self._codes[part])] = True
                shares[matching] += np.float32(term.idf)
                known |= like
            for part in known:
                precisions[np.array(self._codes[part])] += 1
            return shares / np.float32(total or 1.0), precisions / np.array(self._sizes)

    def _like(self, term: str) -> Iterator[str]:
        """The parts of names that equal the term, start with it, or that it starts with."""
        if term in self._codes:
            yield term
        for length in range(_LEAST_PREFIX, len(term)):
            if term[:length] in self._codes:
                yield term[:length]
        if len(term) >= _LEAST_PREFIX:
            for at in range(bisect_left(self._sorted, term), len(self._sorted)):
                if not self._sorted[at].startswith(term):
                    break
                yield self._sorted[at]


def of_names(memory: MemoryIndex, slots: Integers, shares: Floats, precisions: Floats) -> dict[str, Floats]:
    """For each chunk, the values of its best name: its own, or that of a definition inside it."""
    if not len(slots):
        return {"name_share": shares[:0], "name_precision": precisions[:0]}
    own, worth = memory.rows["symbol"][slots], shares * precisions
    columns = memory.symbols.columns
    names = columns["name"]
    rows = np.flatnonzero((worth[names] > 0) & columns["alive"])
    rows = rows[np.argsort(worth[names[rows]], kind="stable")]
    at = np.minimum(np.searchsorted(slots, columns["slot"][rows]), len(slots) - 1)
    here = slots[at] == columns["slot"][rows]
    best = own.copy()
    # The rows are sorted by ascending worth, so the last write, which wins, is the best.
    best[at[here]] = names[rows[here]]
    best = np.where(worth[own] >= worth[best], own, best)
    return {"name_share": shares[best], "name_precision": precisions[best]}
