"""Other ways to bring the scores of the retrievers to a common scale: reciprocal rank and z-score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sightline.arrays import Floats
from sightline.search.ranking import signals
from sightline.search.ranking.fuse import Scale
from sightline.search.ranking.pipeline import Evidence, Ranking, combined
from sightline.search.stages.stage import StageInput, rescored


def reciprocal_rank(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Score the candidates by their rank at each retriever."""
    return _rescaled(ranking, inputs, lambda scores: scale_by_rank(scores, inputs.tuning.rrf_k))


def z_score(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Score the candidates by their standard scores at each retriever."""
    return _rescaled(ranking, inputs, scale_by_deviation)


def scale_by_rank(scores: Floats, k: float) -> Floats:
    """Reciprocal rank scaled so that the first gets 1; equal scores get the better rank."""
    ranks = 1 + np.searchsorted(np.sort(-scores), -scores, side="left")
    found: Floats = (k + 1) / (k + ranks)
    return found


def scale_by_deviation(scores: Floats) -> Floats:
    """Standard scores mapped to 0..1, clipped at three deviations."""
    deviation = float(scores.std())
    standard = (scores - scores.mean()) / deviation if deviation > 0 else np.zeros_like(scores)
    return np.clip(standard / 6 + 0.5, 0, 1)


def _rescaled(ranking: Ranking, inputs: StageInput, scale: Scale) -> Ranking:
    """The ranking by signals on another scale; all other signals stay."""

    def with_scale(evidence: Evidence) -> Evidence:
        found = signals.of_retrievers(
            inputs.memory,
            evidence.part.vector,
            evidence.candidates,
            evidence.grouped,
            inputs.tuning,
            scale,
            scale,
        )
        return replace(evidence, signals={**evidence.signals, **found})

    changed = tuple(with_scale(each) for each in ranking.evidence)
    return rescored(replace(ranking, evidence=changed), combined(changed, ranking.framed, inputs.tuning))
