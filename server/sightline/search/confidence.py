"""How sure an index can be of its best answers, so that scores of different folders can stand in one list."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.search.retrieve import Candidates, Term

Floats = NDArray[np.float32]

# BM25 saturates at k1 + 1 = 2.5 a term; a chunk that is about the query reaches about half of that.
_FULL_SHARE = 0.5
_SATURATION = 2.5
# Nothing that is shown at all has no score at all.
_FLOOR = 0.05


def strength(candidates: Candidates, terms: Sequence[Term], defined: float) -> float:
    """Between 0 and 1: how much of the query the best candidate answers, judged absolutely."""
    evidence = []
    mass = sum(term.idf for term in terms) * _SATURATION * _FULL_SHARE
    if candidates.by_keyword.any() and mass > 0:
        evidence.append(min(1.0, float(candidates.keyword.max()) / mass))
    if candidates.by_vector.any():
        evidence.append(min(1.0, max(0.0, float(candidates.cosine.max()))))
    if not evidence:
        return max(_FLOOR, min(1.0, defined))
    return max(_FLOOR, min(1.0, defined), sum(evidence) / len(evidence))


def normalised(scores: Floats, best_possible: float) -> Floats:
    """Scores as a share of the best one, brought down to what the index can be sure of."""
    top = float(scores.max(initial=0.0))
    if top <= 0:
        return np.zeros_like(scores)
    shares: Floats = np.clip(scores / top * best_possible, 0.0, 1.0).astype(np.float32)
    return shares
