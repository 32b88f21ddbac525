"""How sure an index can be of its answers, judged absolutely and not beside each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sightline.arrays import Floats, Mask
from sightline.search.ranking.pipeline import Evidence, Ranking

# BM25 saturates at k1 + 1 = 2.5 a term; a chunk that is about the query reaches about half of that.
_FULL_SHARE = 0.5
_SATURATION = 2.5
# Any text has a cosine of up to about 0.4 with some chunk of a project; what is about it has 0.5 to 0.7.
_NO_MEANING = 0.25
_FULL_MEANING = 0.70
# Nothing that is shown at all has no score at all.
_FLOOR = 0.05
# Below this a place has next to nothing of the query.
WEAK = 0.25
# A name that is at least this share of a query is what it asks for.
_MOST = 0.5
_NO_WORDS = "Nothing close: no word of this query occurs here, so these places are only near in meaning."
_NO_VECTOR = "Nothing close: the model cannot read this text, so only its words were looked for."
_LITTLE = "Nothing close: these places have little of the query."


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the best answer is, 0 to 1; which candidates are weak, and which have any of the query."""

    best: float
    weak: Mask
    found: Mask
    note: str = ""


def of(ranking: Ranking) -> Confidence:
    """The confidence of a ranking: a place named or defined is sure, any other as sure as its evidence."""
    if not len(ranking.candidates.slots):
        nothing = np.zeros(0, np.bool_)
        return Confidence(0.0, nothing, nothing)
    evidence = np.max([_evidence(each) for each in ranking.evidence], axis=0)
    named = _named(ranking)
    best = 1.0 if named.any() else min(1.0, float(evidence.max()))
    found = named | _touched(ranking)
    note = _note(ranking) if best < WEAK else ""
    return Confidence(max(_FLOOR, best), (evidence < WEAK) & ~named, found, note)


def normalised(scores: Floats, best: float) -> Floats:
    """Scores as a share of the best one, brought down to what the index can be sure of."""
    top = float(scores.max(initial=0.0))
    if top <= 0:
        return np.zeros_like(scores)
    shares: Floats = np.clip(scores / top * best, 0.0, 1.0).astype(np.float32)
    return shares


def _evidence(evidence: Evidence) -> Floats:
    """For each candidate, the mean of its words and its meaning, as far as they were looked for."""
    candidates = evidence.candidates
    found = []
    mass = sum(term.idf for term in evidence.terms) * _SATURATION * _FULL_SHARE
    if evidence.uses_keywords or not candidates.has_vectors:
        found.append(np.minimum(candidates.keyword / max(mass, 1e-6), 1.0))
    if candidates.has_vectors:
        meaning = (candidates.cosine - _NO_MEANING) / (_FULL_MEANING - _NO_MEANING)
        found.append(np.clip(meaning, 0.0, 1.0))
    return np.asarray(sum(found) / len(found), np.float32)


def _named(ranking: Ranking) -> Mask:
    """The candidates that define a name the query can only mean as one, or that a stack trace names."""
    sure = [slot for slot, each in ranking.defining.items() if each.certain and each.share >= _MOST]
    sure += ranking.framed
    named: Mask = np.isin(ranking.candidates.slots, sure)
    return named


def _touched(ranking: Ranking) -> Mask:
    """The candidates that something speaks for: a word, a name, a path, or a vector to be near to."""
    touched = np.zeros(len(ranking.candidates.slots), np.bool_)
    for each in ranking.evidence:
        touched |= each.candidates.by_keyword | each.candidates.has_vectors
        touched |= (each.signals["definition"] > 0) | (each.signals["path_share"] > 0)
    return touched


def _note(ranking: Ranking) -> str:
    if any(each.candidates.by_keyword.any() for each in ranking.evidence):
        return _LITTLE
    return _NO_WORDS if any(each.candidates.has_vectors for each in ranking.evidence) else _NO_VECTOR
