"""Raises places that contain the words of the query in its order, as the source of a message does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sightline.arrays import Floats, Integers
from sightline.search.query.message import fixed_text, is_message
from sightline.search.ranking.pipeline import Evidence, Ranking
from sightline.search.ranking.weights import LOOKUPS
from sightline.search.stages.stage import StageInput, place_texts, rescored
from sightline.words import identifiers_in, stems

# Two words in order may be chance, or one name, which is a term of its own.
_MIN_RUN = 3
_THREE = bytes([True] * _MIN_RUN)
# A place that contains much less of the query than another cannot contain most of it in order.
_MIN_COVERAGE = 0.75
# The value of a word that is too common to be searched for, but belongs to a run.
_COMMON = 1.0
# Shorter texts are seldom copied from somewhere, and places that cover them are found anyway.
_MIN_COPIED = 5
# The order of words says less in a noun phrase or a question than in a sentence.
_SHARE_OF_WEIGHT = {"symbol": 0.0, "topic": 0.6, "heading": 0.4, "question": 0.4, "change": 0.4}


class Wording(NamedTuple):
    """The stemmed words of a text, their values, the value of the text, and its words in lower case."""

    words: tuple[str, ...]
    values: tuple[float, ...]
    total: float
    written: tuple[str, ...]

    def share_in(self, text: str) -> float:
        """The share of this text that another one contains in runs of words."""
        given = stems(text)
        # Most texts have no three words of the query in a row, in any order.
        if _THREE not in bytes(map(set(self.words).__contains__, given)):
            return 0.0
        covered = covered_words(self.words, given)
        value = sum(value for value, inside in zip(self.values, covered, strict=True) if inside)
        return min(1.0, value / self.total) if self.total else 0.0

    def shares_copied(self, texts: Iterable[str]) -> list[float]:
        """The same of several texts, much faster for those that contain no run of words as they are."""
        starts = range(len(self.written) - _MIN_RUN + 1)
        runs = {" ".join(self.written[start : start + _MIN_RUN]) for start in starts}
        return [self.share_in(text) if self._has_any(runs, text) else 0.0 for text in texts]

    def _has_any(self, runs: Iterable[str], text: str) -> bool:
        """Whether a text contains one of some runs of these words, whatever is between the words."""
        lowered = text.lower()
        # Looking for the words alone is quicker, and most texts do not even have three of them.
        if _THREE not in bytes(map(lowered.__contains__, self.written)):
            return False
        # An expression that allows anything between the words would take several times as long.
        words = " ".join(identifiers_in(lowered))
        return any(run in words for run in runs)


def read_wording(text: str, idf: Mapping[str, float]) -> Wording:
    """The wording of a text; a message is pasted with values, which its source does not contain."""
    words, rest = tuple(stems(text)), fixed_text(text)
    fixed = words if rest == text else stems(rest)
    counted = fixed if len(fixed) >= _MIN_RUN else words
    return Wording(
        words,
        tuple(idf.get(word, _COMMON) for word in words),
        sum(idf.get(word, _COMMON) for word in counted),
        tuple(identifiers_in(text.lower())),
    )


def covered_words(wanted: Sequence[str], given: Iterable[str]) -> list[bool]:
    """For each word of `wanted`, whether `given` has it in a run of words with the same order."""
    positions: dict[str, list[int]] = {}
    for at, word in enumerate(wanted):
        positions.setdefault(word, []).append(at)
    covered = [False] * len(wanted)
    lengths: dict[int, int] = {}
    for places in map(positions.get, given):
        # Most words of a text are none of the query's.
        if places is None:
            lengths = {}
            continue
        # By the position of a run's last word in `wanted`: its length.
        lengths = {at: lengths.get(at - 1, 0) + 1 for at in places}
        for at, length in lengths.items():
            if length >= _MIN_RUN:
                covered[at - length + 1 : at + 1] = [True] * length
    return covered


def wording(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Raise the places that contain a large share of the query in its order."""
    first = ranking.evidence[0]
    weight = inputs.tuning.wording * _SHARE_OF_WEIGHT.get(first.part.intent.kind, 1.0)
    if not weight or not first.uses_keywords:
        return ranking
    wanted = read_wording(
        first.part.text, {term.text: term.idf for term in first.terms if term.id is not None}
    )
    least = _MIN_COPIED if first.part.intent.kind in LOOKUPS else _MIN_RUN
    if len(wanted.words) < least:
        return ranking
    places, shares = _compared(ranking, inputs, wanted)
    if not shares.any():
        return ranking
    scores = ranking.scores.copy()
    # Squared: a part of the query in order may be a common phrase, most of it is no coincidence.
    scores[places] += np.float32(weight) * shares**2 * first.kept[places]
    return rescored(ranking, scores)


def _compared(ranking: Ranking, inputs: StageInput, wanted: Wording) -> tuple[Integers, Floats]:
    """The places that are compared with the query, and the share of it that each contains."""
    places = _promising(ranking, int(inputs.tuning.wording_places))
    texts = _texts(ranking, inputs, places)
    # What is looked up by a phrase of its own words is no copy; this takes a quarter of the time.
    lookup = ranking.evidence[0].part.intent.kind in LOOKUPS
    shares = wanted.shares_copied(texts) if lookup else list(map(wanted.share_in, texts))
    if _may_be_copied(ranking.evidence[0], wanted):
        further = _covering(ranking, int(inputs.tuning.wording_covering), places)
        shares += wanted.shares_copied(_texts(ranking, inputs, further))
        places = np.concatenate([places, further])
    return places, np.array(shares, np.float32)


def _may_be_copied(first: Evidence, wanted: Wording) -> bool:
    """Whether the query is a sentence or a message, which the code may contain as it is."""
    kind = first.part.intent.kind
    sentence = kind == "statement" or (kind == "topic" and is_message(first.part.text))
    return sentence and len(wanted.words) >= _MIN_COPIED


def _texts(ranking: Ranking, inputs: StageInput, places: Integers) -> list[str]:
    return place_texts(inputs, ranking.candidates.slots[places])


def _promising(ranking: Ranking, count: int) -> Integers:
    """The best candidates that contain enough words of the query."""
    coverage = ranking.evidence[0].signals["coverage"]
    enough = coverage >= _MIN_COVERAGE * coverage.max(initial=0.0)
    found: Integers = ranking.order[enough.take(ranking.order)][:count]
    return found


def _covering(ranking: Ranking, count: int, known: Integers) -> Integers:
    """The other candidates that contain most words of the query."""
    signals = ranking.evidence[0].signals
    best = np.lexsort((-signals["bm25"], -signals["coverage"]))[:count]
    further: Integers = np.setdiff1d(np.sort(best), known, assume_unique=True)
    return further
