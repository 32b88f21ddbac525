"""What every optional stage takes and gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sightline.arrays import Floats
from sightline.search.ranking.constants import Tuning
from sightline.search.ranking.pipeline import Question, Ranking, ordered
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import ReadSource


@dataclass(frozen=True, slots=True)
class Asked:
    """What a stage may look at: the index under its guard, the query, and how far down the page reaches."""

    memory: MemoryIndex
    question: Question
    tuning: Tuning
    reach: int
    read_source: ReadSource


# A ranking in, the same with another order, other scores or fewer places out.
Stage = Callable[[Ranking, Asked], Ranking]


def rescored(ranking: Ranking, scores: Floats) -> Ranking:
    """The ranking with other scores, in their order."""
    return replace(ranking, scores=scores, order=ordered(ranking.candidates, scores))
