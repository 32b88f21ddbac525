"""The best documents for a query without going through the postings that can add least to a score.

Most documents that have a frequent term have it once. These postings are left out at first: what they can add
is known, so a document whose other terms are too weak is out, and the few others are looked up (MaxScore,
with the tiers of a term in the place of whole terms).
"""

from __future__ import annotations

import numpy as np

from sightline.arrays import Floats, Integers, Mask
from sightline.stores.memory.matching import Matching
from sightline.stores.vectors.matrix import best, kth

# Fewer postings than this are not worth leaving out.
_LEAST_POSTINGS = 1 << 15
# For each wanted document this many are scored to learn which score is needed.
_PROBES = 2
# With more candidates than this share of the postings, going through all of them is faster.
_MOST_CANDIDATES = 1 / 32
# Single precision sums of a few dozen scores are off by less than this share.
_ROUNDING = 1e-5


def top_documents(matching: Matching, k: int, size: int, allowed: Mask | None = None) -> Integers:
    """The `k` slots below `size` with the highest scores above 0, ascending; ties go to lower slots."""
    slots = _candidates(matching, k, size, allowed)
    if slots is not None:
        scores = matching.scores(slots, matching.counts(slots))
    else:
        slots, scores = matching.every(size)
        if allowed is not None:
            passing = allowed[slots]
            slots, scores = slots[passing], scores[passing]
    positive = np.flatnonzero(scores)
    return np.sort(best(scores[positive], slots[positive], k)[0])


def _candidates(matching: Matching, k: int, size: int, allowed: Mask | None) -> Integers | None:
    """A few slots that include the best; None if all that have a term have to be scored."""
    most = matching.postings * _MOST_CANDIDATES
    if allowed is not None and np.count_nonzero(allowed) < most:
        return np.flatnonzero(allowed)
    skipped = [span for span in matching.spans if span.tier == 0 and len(span.slots) >= _LEAST_POSTINGS]
    if not skipped or size <= _PROBES * k:
        return None
    # What a document gains from a skipped span at most; if it has the term more often, it gains that instead.
    bounds = {span.term: matching.most(span) for span in skipped}
    known = _known(matching, size, {id(span) for span in skipped}, bounds)
    if allowed is not None:
        known[~allowed] = -np.inf
    needed = _needed(matching, known, k) - sum(bounds.values())
    # Below 0 even a document of which nothing is known could be one of the best.
    slots = np.flatnonzero(known >= needed) if needed > 0 else np.zeros(0, np.int64)
    return slots if 0 < len(slots) < most else None


def _known(matching: Matching, size: int, skipped: set[int], bounds: dict[int, float]) -> Floats:
    """What each slot gains from all spans but the skipped ones, more than it could have gained from these."""
    known = np.zeros(size, np.float32)
    for span in matching.spans:
        if id(span) not in skipped:
            known[span.slots] += matching.gains(span) - np.float32(bounds.get(span.term, 0.0))
    return known


def _needed(matching: Matching, known: Floats, k: int) -> float:
    """A score that the `k` best reach: that of the `k`-th best of the slots of which most is known."""
    probes = np.flatnonzero(known >= kth(known, _PROBES * k))
    scores = matching.scores(probes, matching.counts(probes))
    return float(kth(scores, k)) * (1 - _ROUNDING) - _ROUNDING
