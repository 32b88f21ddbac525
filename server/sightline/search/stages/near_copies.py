"""Shows places with nearly the same content once: compares them by words and by vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sightline.arrays import Floats, Integers
from sightline.search.ranking.pipeline import Ranking
from sightline.search.stages.stage import StageInput, place_texts
from sightline.words import tokens

_GRAM = 3
# Two short texts may share their few grams by accident.
_MIN_GRAMS = 8


def near_copies_by_vector(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Drop places whose vector is nearly equal to that of a better one."""
    space = inputs.memory.space
    if space is None:
        return ranking
    head = ranking.order[: inputs.reach]
    kept = unlike_vectors(space.chunks.get(ranking.candidates.slots[head]), inputs.tuning.duplicate_cosine)
    return _with_head(ranking, head[kept], inputs.reach)


def near_copies_by_text(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Drop places whose words are nearly the same as those of a better one."""
    head = ranking.order[: inputs.reach]
    texts = place_texts(inputs, ranking.candidates.slots[head])
    kept = unlike_texts(len(texts), texts.__getitem__, inputs.tuning.duplicate_grams)
    return _with_head(ranking, head[kept], inputs.reach)


def _with_head(ranking: Ranking, head: Integers, reach: int) -> Ranking:
    return replace(ranking, order=np.concatenate([head, ranking.order[reach:]]))


def grams(text: str) -> frozenset[tuple[str, ...]]:
    """The word 3-grams of a text."""
    words = tokens(text)
    return frozenset(tuple(words[at : at + _GRAM]) for at in range(len(words) - _GRAM + 1))


def alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]], threshold: float) -> bool:
    """Whether the Jaccard similarity of two sets of grams reaches the threshold."""
    if min(len(one), len(other)) < _MIN_GRAMS or min(len(one), len(other)) < threshold * max(
        len(one), len(other)
    ):
        return False
    shared = len(one & other)
    return shared >= threshold * (len(one) + len(other) - shared)


def unlike_texts(count: int, text: Callable[[int], str], threshold: float) -> list[int]:
    """The positions whose text is not a near-duplicate of an earlier one."""
    kept: list[tuple[int, frozenset[tuple[str, ...]]]] = []
    for position in range(count):
        mine = grams(text(position))
        if not any(alike(mine, other, threshold) for _, other in kept):
            kept.append((position, mine))
    return [position for position, _ in kept]


def unlike_vectors(vectors: Floats, threshold: float) -> list[int]:
    """The positions whose vector is not nearly equal to an earlier one; a zero vector matches nothing."""
    likeness = vectors @ vectors.T
    kept: list[int] = []
    for position in range(len(vectors)):
        if not kept or float(likeness[position, kept].max()) < threshold:
            kept.append(position)
    return kept
