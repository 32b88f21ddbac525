"""Brings the scores of different retrievers to a common scale."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sightline.arrays import Floats, Mask

# Maps the scores of the matched candidates, at least one, to 0..1.
Scale = Callable[[Floats], Floats]


def min_max(scores: Floats) -> Floats:
    """From 0 (zero, or the lowest score if negative) to 1 (the best)."""
    return _between(scores, min(0.0, float(scores.min())))


def window(scores: Floats) -> Floats:
    """From 0 at the lowest to 1 at the best: for cosines, whose zero has no meaning."""
    return _between(scores, float(scores.min()))


def _between(scores: Floats, low: float) -> Floats:
    spread = float(scores.max()) - low
    return (scores - low) / spread if spread > 0 else np.ones_like(scores)


def scaled(scores: Floats, scale: Scale = min_max) -> Floats:
    """BM25 scores, which are not negative, on the common scale."""
    if scale is min_max:
        # Without a match there is nothing to divide by, and else nothing to leave out.
        return scores / (float(scores.max(initial=0.0)) or 1.0)
    return scale_matched(scale, scores, scores > 0)


def scaled_cosines(cosines: Floats, scale: Scale = window) -> Floats:
    """Cosines on the common scale."""
    return scale(cosines) if len(cosines) else cosines


def scale_matched(scale: Scale, scores: Floats, matched: Mask) -> Floats:
    """The scores on a scale; 0 for candidates without a match."""
    out = np.zeros_like(scores)
    if matched.any():
        out[matched] = scale(scores[matched])
    return out
