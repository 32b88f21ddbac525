"""How widely the names that a file defines are used: what others build on is what people ask for."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from sightline.stores.memory.memory_index import MemoryIndex
from sightline.words import rare_stem, tokens

# More names than this in one file, and the first ones stand for all.
_MAX_NAMES = 40
# Longer names are cut somewhere.
_MAX_PLAIN = 64
# Ids begin at 1.
_UNKNOWN = 0


class Usage:
    """By file, in how many chunks the most used of its top-level names occurs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vocabulary: dict[str, int] = {}
        # The symbol rows of a file and the terms of their names: rows never change, new symbols are new rows.
        self._terms: dict[int, tuple[range, list[int]]] = {}
        # The usage of each file in one state of the index, below 0 where it was not asked for yet.
        self._state: tuple[int, int] = (-1, -1)
        self._counts = np.zeros(0, np.int64)

    def of(self, memory: MemoryIndex, files: NDArray[np.int64]) -> NDArray[np.float32]:
        """Log-scaled usage of some files, 0 to 1 within them."""
        with self._lock:
            state = memory.generation, len(memory.files)
            if self._state != state or self._vocabulary is not memory.vocabulary:
                self._state, self._counts = state, np.full(len(memory.files), -1, np.int64)
            fresh = files[self._counts[files] < 0]
            if len(fresh):
                self._counts[fresh] = self._counted(memory, fresh)
            counts = self._counts[files]
        logs = np.log1p(counts.astype(np.float32))
        return (logs / max(float(logs.max(initial=0.0)), 1e-6)).astype(np.float32)

    def _counted(self, memory: MemoryIndex, files: NDArray[np.int64]) -> NDArray[np.int64]:
        if self._vocabulary is not memory.vocabulary:
            # Read anew, and maybe with other ids.
            self._vocabulary = memory.vocabulary
            self._terms.clear()
        terms = self._terms_of(memory, files.tolist())
        counts = np.zeros(len(files), np.int64)
        owners = np.repeat(np.arange(len(files)), [len(each) for each in terms])
        ids = np.fromiter(chain.from_iterable(terms), np.int64, len(owners))
        np.maximum.at(counts, owners, memory.keywords.frequencies(ids))
        return counts

    def _terms_of(self, memory: MemoryIndex, files: Sequence[int]) -> list[list[int]]:
        # Hundreds of files for every search, nearly all of them known.
        known, of_file = self._terms, memory.symbols.of_file
        found = []
        for file in files:
            rows = of_file(file)
            kept = known.get(file)
            found.append(kept[1] if kept and kept[0] is rows else self._look_up(memory, file, rows))
        return found

    def _look_up(self, memory: MemoryIndex, file: int, rows: range) -> list[int]:
        terms = list(filter(None, map(whole_term, _top_level_names(memory, rows[:_MAX_NAMES]))))
        ids = [self._vocabulary.get(term, _UNKNOWN) for term in terms]
        # A term that nobody has used yet may still get its id.
        if _UNKNOWN not in ids:
            self._terms[file] = (rows, ids)
        return ids


def _top_level_names(memory: MemoryIndex, rows: range) -> list[str]:
    columns = memory.symbols.columns
    names = columns["name"][rows.start : rows.stop].tolist()
    containers = columns["container"][rows.start : rows.stop].tolist()
    # The empty name has the code 0.
    return [memory.names[name] for name, container in zip(names, containers, strict=True) if not container]


def whole_term(name: str) -> str:
    """The first of the terms of a name: the whole of it; empty if it has none."""
    if name.isascii() and name.isidentifier() and len(name) < _MAX_PLAIN:
        # What its parts are together can be said without taking it apart, in a tenth of the time.
        return rare_stem(name.replace("_", "").lower())
    terms = tokens(name)
    return terms[0] if terms else ""
