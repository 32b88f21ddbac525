"""Maximal marginal relevance: each next place is relevant and differs from the ones before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sightline.arrays import Floats
from sightline.search.ranking.pipeline import Ranking
from sightline.search.stages.stage import StageInput


def diversity(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Reorder the places within the reach of the page for variety."""
    space = inputs.memory.space
    if space is None or not len(ranking.order):
        return ranking
    order = ranking.order
    shares = ranking.scores[order] / max(float(ranking.scores.max()), 1e-6)
    vectors = space.chunks.get(ranking.candidates.slots[order])
    picked = np.array(mmr(shares.tolist(), vectors, inputs.reach, inputs.tuning.mmr_balance), np.int64)
    rest = np.setdiff1d(np.arange(len(order)), picked, assume_unique=True)
    return replace(ranking, order=order[np.concatenate([picked, rest])])


def mmr(scores: Sequence[float], vectors: Floats, count: int, balance: float) -> list[int]:
    """The positions of the first `count`, each the best remaining one after its similarity is deducted."""
    left = np.asarray(scores, dtype=np.float32)
    likeness = np.zeros(len(left), dtype=np.float32)
    open_ = np.ones(len(left), dtype=np.bool_)
    kept: list[int] = []
    while len(kept) < min(count, len(left)):
        gain = np.where(open_, balance * left - (1 - balance) * likeness, -np.inf)
        best = int(np.argmax(gain))
        kept.append(best)
        open_[best] = False
        likeness = np.maximum(likeness, vectors @ vectors[best])
    return kept
