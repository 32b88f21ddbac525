"""Places that say nearly the same are shown once: by their words, by their meaning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sightline.words import tokens

_GRAM = 3
# Two short texts share their few grams by accident.
_MIN_GRAMS = 8


def grams(text: str) -> frozenset[tuple[str, ...]]:
    """The word 3-grams of a text."""
    words = tokens(text)
    return frozenset(tuple(words[at : at + _GRAM]) for at in range(len(words) - _GRAM + 1))


def alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]], threshold: float) -> bool:
    """Whether the Jaccard share of two sets of grams reaches the threshold."""
    if min(len(one), len(other)) < _MIN_GRAMS or min(len(one), len(other)) < threshold * max(
        len(one), len(other)
    ):
        return False
    shared = len(one & other)
    return shared >= threshold * (len(one) + len(other) - shared)


def unlike_texts(count: int, text: Callable[[int], str], threshold: float) -> list[int]:
    """The positions whose text is not nearly that of an earlier one."""
    kept: list[tuple[int, frozenset[tuple[str, ...]]]] = []
    for position in range(count):
        mine = grams(text(position))
        if not any(alike(mine, other, threshold) for _, other in kept):
            kept.append((position, mine))
    return [position for position, _ in kept]


def unlike_vectors(vectors: NDArray[np.float32], threshold: float) -> list[int]:
    """The positions whose vector is not nearly that of an earlier one; a zero vector is like nothing."""
    likeness = vectors @ vectors.T
    kept: list[int] = []
    for position in range(len(vectors)):
        if not kept or float(likeness[position, kept].max()) < threshold:
            kept.append(position)
    return kept
