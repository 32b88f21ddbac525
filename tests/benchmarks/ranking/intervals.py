"""Means of figures with their confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

_DRAWS = 10_000
_COVERED = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


def figure(values: Mapping[str, Sequence[float]], *, pooled: bool) -> Figure:
    """The mean over projects or, if pooled, over all tasks, with a bootstrap interval over the same units."""
    parts = (
        [value for group in values.values() for value in group] if pooled else [*map(fmean, values.values())]
    )
    units = np.array(parts)
    drawn = np.random.default_rng(0).integers(0, len(units), (_DRAWS, len(units)))
    low, high = np.percentile(units[drawn].mean(axis=1), _COVERED)
    return Figure(float(units.mean()), float(low), float(high))
