"""The metrics of one answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.benchmarks.ranking.tasks import Place

DEPTH = 10


def ndcg(hits: Sequence[Place], targets: Sequence[Place]) -> float:
    """NDCG@10: a target counts once, at the rank of the first hit that overlaps it."""
    ranks = {rank for target in targets if (rank := first_rank(hits[:DEPTH], [target]))}
    ideal = sum(1 / math.log2(position + 2) for position in range(min(DEPTH, len(targets))))
    return sum(1 / math.log2(rank + 1) for rank in ranks) / ideal


def first_rank(hits: Sequence[Place], targets: Sequence[Place]) -> int | None:
    """The rank of the first hit that overlaps a target."""
    right = (rank for rank, hit in enumerate(hits, 1) if any(hit.overlaps(target) for target in targets))
    return next(right, None)


def within(rank: int | None, depth: int) -> float:
    """1 if the rank is at most `depth`, else 0."""
    return float(rank is not None and rank <= depth)


def reciprocal(rank: int | None) -> float:
    """The reciprocal rank: 1 for the first rank, 1/2 for the second, 0 for none."""
    return 1 / rank if rank else 0.0


def distinct_files(hits: Sequence[Place]) -> list[Place]:
    """The first hit of each file."""
    first: dict[str, Place] = {}
    for hit in hits:
        first.setdefault(hit.path, hit)
    return list(first.values())
