"""Brings the scores of different retrievers to a common scale."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sightline.arrays import Floats, Mask
from sightline.search.ranking.constants import Tuning

# Maps the scores of the matched candidates, at least one, to 0..1.
Scale = Callable[[Floats, Tuning], Floats]


def min_max(scores: Floats, _: Tuning) -> Floats:
    """From 0 (zero, or the lowest score if negative) to 1 (the best)."""
    return _between(scores, min(0.0, float(scores.min())))


def window(scores: Floats, _: Tuning) -> Floats:
    """From 0 at the lowest to 1 at the best: for cosines, whose zero has no meaning."""
    return _between(scores, float(scores.min()))


def _between(scores: Floats, low: float) -> Floats:
    spread = float(scores.max()) - low
    return (scores - low) / spread if spread > 0 else np.ones_like(scores)


def reciprocal_rank(scores: Floats, tuning: Tuning) -> Floats:
    """Reciprocal rank scaled so that the first gets 1; equal scores get the better rank."""
    ranks = 1 + np.searchsorted(np.sort(-scores), -scores, side="left")
    found: Floats = (tuning.rrf_k + 1) / (tuning.rrf_k + ranks)
    return found


def z_score(scores: Floats, _: Tuning) -> Floats:
    """Standard scores mapped to 0..1, clipped at three deviations."""
    deviation = float(scores.std())
    standard = (scores - scores.mean()) / deviation if deviation > 0 else np.zeros_like(scores)
    return np.clip(standard / 6 + 0.5, 0, 1)


# Indexed by `fusion`: the scale for BM25, and that for cosines.
_SCALES: tuple[tuple[Scale, Scale], ...] = (
    (min_max, window),
    (reciprocal_rank, reciprocal_rank),
    (z_score, z_score),
)


def scaled(scores: Floats, tuning: Tuning) -> Floats:
    """BM25 scores on the common scale."""
    return scale_matched(_SCALES[int(tuning.fusion)][0], scores, scores > 0, tuning)


def scaled_cosines(cosines: Floats, tuning: Tuning) -> Floats:
    """Cosines on the common scale."""
    every = np.ones(len(cosines), np.bool_)
    return scale_matched(_SCALES[int(tuning.fusion)][1], cosines, every, tuning)


def scale_matched(scale: Scale, scores: Floats, matched: Mask, tuning: Tuning) -> Floats:
    """The scores on a scale; 0 for candidates without a match."""
    out = np.zeros_like(scores)
    if matched.any():
        out[matched] = scale(scores[matched], tuning)
    return out
