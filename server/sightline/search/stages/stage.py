"""The input and output of every optional stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sightline.arrays import Floats
from sightline.search.ranking.constants import Tuning
from sightline.search.ranking.pipeline import Ranking, ordered
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import ReadSource


@dataclass(frozen=True, slots=True)
class StageInput:
    """The input of a stage: the index under its guard, the constants, and how far down the page reaches."""

    memory: MemoryIndex
    tuning: Tuning
    reach: int
    read_source: ReadSource


# Takes a ranking and returns it with another order, other scores or fewer places.
Stage = Callable[[Ranking, StageInput], Ranking]


def rescored(ranking: Ranking, scores: Floats) -> Ranking:
    """The ranking with new scores, sorted by them."""
    return replace(ranking, scores=scores, order=ordered(ranking.candidates, scores))
