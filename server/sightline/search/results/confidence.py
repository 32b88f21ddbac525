"""The confidence of a ranking, on an absolute scale rather than relative to the other answers."""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple

import numpy as np

from sightline.arrays import Floats, Mask
from sightline.search.ranking.pipeline import Evidence, Ranking
from sightline.search.ranking.signals import spread

# BM25 saturates at k1 + 1 = 2.5 per term; a chunk about the query reaches about half of that.
_FULL_SHARE = 0.5
_SATURATION = 2.5
# Any text has a cosine of up to about 0.4 with some chunk of a project; a chunk about the query has 0.5 to
# 0.7.
_NO_MEANING = 0.25
_FULL_MEANING = 0.70
# A place that is shown never has the score 0.
_FLOOR = 0.05
# A place below this matches almost nothing of the query.
WEAK = 0.25
# A name with at least this share of the query is what the query asks for.
_MAIN_SHARE = 0.5
_NO_WORDS = "Nothing close: no word of this query occurs here, so these places are only near in meaning."
_NO_VECTOR = "Nothing close: the model cannot read this text, so only its words were searched."
_FEW_MATCHES = "Nothing close: these places match little of the query."


class Confidence(NamedTuple):
    """The confidence of the best answer, 0 to 1; which candidates are weak, and which match at all."""

    best: float
    weak: Mask
    found: Mask
    note: str = ""


def of(ranking: Ranking) -> Confidence:
    """The confidence of a ranking: full for a place that is named or defined, else given by its evidence."""
    if not len(ranking.candidates.slots):
        nothing = np.zeros(0, np.bool_)
        return Confidence(0.0, nothing, nothing)
    evidence = reduce(np.maximum, map(_evidence, ranking.evidence))
    named = _named(ranking)
    best = 1.0 if named.any() else min(1.0, float(evidence.max()))
    found = named | _with_evidence(ranking)
    note = _note(ranking) if best < WEAK else ""
    return Confidence(max(_FLOOR, best), (evidence < WEAK) & ~named, found, note)


def normalised(scores: Floats, best: float) -> Floats:
    """Scores relative to the best one, scaled down to the confidence."""
    top = float(scores.max(initial=0.0))
    if top <= 0:
        return np.zeros_like(scores)
    shares: Floats = np.minimum(np.maximum(scores / top * best, 0.0), 1.0).astype(np.float32)
    return shares


def _evidence(evidence: Evidence) -> Floats:
    """For each candidate, the mean of its keyword and vector evidence, as far as each was used."""
    candidates = evidence.candidates
    found, has_vectors = [], candidates.has_vectors
    mass = sum(term.idf for term in evidence.terms) * _SATURATION * _FULL_SHARE
    if evidence.uses_keywords or not has_vectors:
        found.append(np.minimum(candidates.keyword / max(mass, 1e-6), 1.0))
    if has_vectors:
        meaning = (candidates.cosine - _NO_MEANING) / (_FULL_MEANING - _NO_MEANING)
        found.append(np.minimum(np.maximum(meaning, 0.0), 1.0))
    return np.asarray(sum(found) / len(found), np.float32)


def _named(ranking: Ranking) -> Mask:
    """The candidates that define a name the query certainly mentions, or that a stack trace names."""
    sure = [slot for slot, each in ranking.defining.items() if each.certain and each.share >= _MAIN_SHARE]
    return spread(dict.fromkeys([*sure, *ranking.framed], 1.0), ranking.candidates.slots) > 0


def _with_evidence(ranking: Ranking) -> Mask:
    """The candidates with any evidence: a word, a name, a path, or a vector to compare with."""
    if any(each.candidates.has_vectors for each in ranking.evidence):
        return np.ones(len(ranking.candidates.slots), np.bool_)
    touched = np.zeros(len(ranking.candidates.slots), np.bool_)
    for each in ranking.evidence:
        touched |= each.candidates.by_keyword
        touched |= (each.signals["definition"] > 0) | (each.signals["path_share"] > 0)
    return touched


def _note(ranking: Ranking) -> str:
    if any(each.candidates.by_keyword.any() for each in ranking.evidence):
        return _FEW_MATCHES
    return _NO_WORDS if any(each.candidates.has_vectors for each in ranking.evidence) else _NO_VECTOR
