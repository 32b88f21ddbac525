"""How widely the names that a file defines are used: what others build on is what people ask for."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from sightline.stores.image import Image
from sightline.words import tokens

Terms = NDArray[np.int64]

# More names than this in one file, and the first ones stand for all.
_MAX_NAMES = 40
_NONE: Terms = np.zeros(0, np.int64)


class Usage:
    """By file, in how many chunks the most used of its top-level names occurs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._vocabulary: dict[str, int] = {}
        # The symbol rows of a file and the terms of their names: rows never change, new symbols are new rows.
        self._terms: dict[int, tuple[range, Terms]] = {}

    def of(self, image: Image, files: NDArray[np.int64]) -> NDArray[np.float32]:
        """Log-scaled usage of some files, 0 to 1 within them."""
        with self._lock:
            if self._vocabulary is not image.vocabulary:
                # Read anew, and maybe with other ids.
                self._vocabulary = image.vocabulary
                self._terms.clear()
            terms = [self._terms_of(image, file) for file in files.tolist()]
        counts = np.zeros(len(files), np.int64)
        owners = np.repeat(np.arange(len(files)), [len(each) for each in terms])
        np.maximum.at(counts, owners, image.keywords.frequencies(np.concatenate([_NONE, *terms])))
        logs = np.log1p(counts.astype(np.float32))
        return (logs / max(float(logs.max(initial=0.0)), 1e-6)).astype(np.float32)

    def _terms_of(self, image: Image, file: int) -> Terms:
        rows = image.symbols.of_file(file)
        known = self._terms.get(file)
        if known is not None and known[0] == rows:
            return known[1]
        symbols = image.symbols
        names = [tokens(symbols.name(row)) for row in rows[:_MAX_NAMES] if not symbols.container(row)]
        ids = [self._vocabulary.get(terms[0], 0) for terms in names if terms]
        found = np.array(ids, np.int64)
        # A term that nobody has used yet may still get its id.
        if found.all():
            self._terms[file] = (rows, found)
        return found
