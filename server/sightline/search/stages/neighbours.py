"""Raises what the best places call, import or link to."""

from __future__ import annotations

import numpy as np

from sightline.search.ranking.pipeline import Ranking
from sightline.search.ranking.signals import spread
from sightline.search.stages.stage import StageInput, rescored


def neighbours(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Give the neighbours of the best places a share of the score of the place that leads to them."""
    # Imported here because the stage is off by default, and its import loads all name resolution.
    from sightline.search.stages import graph_neighbours as graph

    best = ranking.order[: int(inputs.tuning.graph_sources)]
    sources = [(int(ranking.candidates.slots[at]), float(ranking.scores[at])) for at in best]
    reached = graph.spread(inputs.memory, sources, int(inputs.tuning.graph_max_degree))
    lifted = np.float32(inputs.tuning.graph) * spread(reached, ranking.candidates.slots)
    return rescored(ranking, ranking.scores + lifted)
