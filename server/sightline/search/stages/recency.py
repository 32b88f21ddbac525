"""Slightly raises files that changed recently."""

from __future__ import annotations

import time

import numpy as np

from sightline.search.ranking.pipeline import Ranking
from sightline.search.stages.stage import StageInput, rescored

_DAY_NS = 86_400e9


def recency(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Raise each place by how recently its file changed."""
    files = inputs.memory.files
    times = np.array([files[file].mtime_ns for file in ranking.grouped.files], np.float64)
    days = np.maximum(time.time_ns() - times, 0.0) / _DAY_NS
    factor = 1.0 + inputs.tuning.recency * np.exp(-days / inputs.tuning.recency_days)
    return rescored(ranking, (ranking.scores * factor[ranking.grouped.owner]).astype(np.float32))
