"""How widely the names that a file defines are used: what others build on is what people ask for."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from sightline.stores.image import Image
from sightline.words import tokens

# More names than this in one file, and the first ones stand for all.
_MAX_NAMES = 40


class Usage:
    """By file, in how many chunks the most used of its top-level names occurs; kept for a generation."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._generation = -1
        self._counts: dict[int, int] = {}

    def of(self, image: Image, files: NDArray[np.int64]) -> NDArray[np.float32]:
        """Log-scaled usage of some files, 0 to 1 within them."""
        with self._lock:
            if image.generation != self._generation:
                self._counts.clear()
                self._generation = image.generation
            counts = [self._count(image, int(file)) for file in files]
        logs = np.log1p(np.array(counts, np.float32))
        return (logs / max(float(logs.max(initial=0.0)), 1e-6)).astype(np.float32)

    def _count(self, image: Image, file: int) -> int:
        known = self._counts.get(file)
        if known is None:
            known = self._counts[file] = self._most_used(image, file)
        return known

    def _most_used(self, image: Image, file: int) -> int:
        symbols, best = image.symbols, 0
        for row in symbols.of_file(file)[:_MAX_NAMES]:
            if symbols.container(row):
                continue
            terms = tokens(symbols.name(row))
            id = image.vocabulary.get(terms[0]) if terms else None
            if id is not None:
                best = max(best, image.keywords.df(id))
        return best
