"""Raises places that contain the words of the query in its order, as the source of a message does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sightline.arrays import Integers
from sightline.search.ranking.pipeline import Ranking
from sightline.search.stages.stage import StageInput, place_texts, rescored
from sightline.words import split, stem

# Two words in order may be chance, or one name, which is a term of its own.
_MIN_RUN = 3
# A place that contains much less of the query than another cannot contain the longest run.
_MIN_COVERAGE = 0.75


def wording(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Raise the best places that contain a large share of the query as one run of words."""
    first = ranking.evidence[0]
    words = _stems(first.part.text)
    if len(words) < _MIN_RUN or not first.uses_keywords:
        return ranking
    # A message is pasted with values that the code does not contain.
    values = {term.text: term.idf for term in first.terms if term.id is not None}
    scores = ranking.scores.copy()
    best = _promising(ranking, int(inputs.tuning.wording_places))
    texts = place_texts(inputs, ranking.candidates.slots[best].tolist())
    shares = np.array([longest_run(words, _stems(text), values) for text in texts], np.float32)
    # Squared: a part of the query in order may be a common phrase, most of it is no coincidence.
    scores[best] += np.float32(inputs.tuning.wording) * shares**2 * first.kept[best]
    return rescored(ranking, scores)


def _promising(ranking: Ranking, count: int) -> Integers:
    """The best candidates that contain enough words of the query."""
    coverage = ranking.evidence[0].signals["coverage"]
    enough = coverage >= _MIN_COVERAGE * coverage.max(initial=0.0)
    found: Integers = ranking.order[enough[ranking.order]][:count]
    return found


def _stems(text: str) -> list[str]:
    return list(map(stem, split(text)))


def longest_run(wanted: Sequence[str], given: Sequence[str], values: Mapping[str, float]) -> float:
    """The most valuable run of words of `wanted` in `given`, as a share of the value of all its words."""
    positions: dict[str, list[int]] = {}
    for at, word in enumerate(wanted):
        positions.setdefault(word, []).append(at)
    sums = np.cumsum([0.0, *(values.get(word, 0.0) for word in wanted)]).tolist()
    best, lengths = 0.0, dict[int, int]()
    for places in map(positions.get, given):
        # Most words of a text are none of the query's.
        if places is None:
            lengths = {}
            continue
        # By the position of a run's last word in `wanted`: its length.
        lengths = {at: lengths.get(at - 1, 0) + 1 for at in places}
        for at, length in lengths.items():
            if length >= _MIN_RUN:
                best = max(best, sums[at + 1] - sums[at + 1 - length])
    return best / sums[-1] if sums[-1] else 0.0
