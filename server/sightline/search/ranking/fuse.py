"""Brings the scores of different retrievers to a common scale."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sightline.arrays import Floats, Mask
from sightline.search.ranking.constants import Tuning


def min_max(scores: Floats, matched: Mask) -> Floats:
    """Matched scores from 0 (zero, or the lowest score if negative) to 1 (the best)."""
    out = np.zeros_like(scores)
    if not matched.any():
        return out
    values = scores[matched]
    low = min(0.0, float(values.min()))
    spread = float(values.max()) - low
    out[matched] = (values - low) / spread if spread > 0 else 1.0
    return out


def window(scores: Floats, matched: Mask) -> Floats:
    """Matched scores from 0 at the lowest to 1 at the best: for cosines, whose zero has no meaning."""
    out = np.zeros_like(scores)
    if not matched.any():
        return out
    values = scores[matched]
    low, high = float(values.min()), float(values.max())
    out[matched] = (values - low) / (high - low) if high > low else 1.0
    return out


def reciprocal_rank(scores: Floats, matched: Mask, k: float) -> Floats:
    """Reciprocal rank scaled so that the first gets 1; equal scores get the better rank."""
    out = np.zeros_like(scores)
    if not matched.any():
        return out
    values = scores[matched]
    ranks = 1 + np.searchsorted(np.sort(-values), -values, side="left")
    out[matched] = (k + 1) / (k + ranks)
    return out


def z_score(scores: Floats, matched: Mask) -> Floats:
    """Standard scores mapped to 0..1, clipped at three deviations."""
    out = np.zeros_like(scores)
    if not matched.any():
        return out
    values = scores[matched]
    deviation = float(values.std())
    standard = (values - values.mean()) / deviation if deviation > 0 else np.zeros_like(values)
    out[matched] = np.clip(standard / 6 + 0.5, 0, 1)
    return out


Scale = Callable[[Floats, Mask, Tuning], Floats]


def _min_max(scores: Floats, matched: Mask, _: Tuning) -> Floats:
    return min_max(scores, matched)


def _window(scores: Floats, matched: Mask, _: Tuning) -> Floats:
    return window(scores, matched)


def _by_rank(scores: Floats, matched: Mask, tuning: Tuning) -> Floats:
    return reciprocal_rank(scores, matched, tuning.rrf_k)


def _standard(scores: Floats, matched: Mask, _: Tuning) -> Floats:
    return z_score(scores, matched)


# Indexed by `fusion`: the scale for BM25, and that for cosines.
_SCALES: tuple[tuple[Scale, Scale], ...] = (
    (_min_max, _window),
    (_by_rank, _by_rank),
    (_standard, _standard),
)


def scaled(scores: Floats, tuning: Tuning) -> Floats:
    """BM25 scores on the common scale."""
    return _SCALES[int(tuning.fusion)][0](scores, scores > 0, tuning)


def scaled_cosines(cosines: Floats, tuning: Tuning) -> Floats:
    """Cosines on the common scale."""
    return _SCALES[int(tuning.fusion)][1](cosines, np.ones(len(cosines), np.bool_), tuning)
