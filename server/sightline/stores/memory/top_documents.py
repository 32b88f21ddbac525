"""The best documents for a query without going through the postings that can add least to a score.

Most documents that have a frequent term have it once. These postings are left out at first: what they can add
is known, so a document whose other terms are too weak is out, and the few others are looked up (MaxScore,
with the tiers of a term in the place of whole terms).
"""

from __future__ import annotations

import numpy as np

from sightline.arrays import Integers, Mask
from sightline.stores.memory.matching import Matching, Sums
from sightline.stores.vectors.matrix import best, kth

# Fewer postings than this are not worth leaving out.
_LEAST_POSTINGS = 1 << 15
# For each wanted document this many are scored to learn which score is needed.
_PROBES = 2
# With more candidates than this share of the postings, going through all of them is faster.
_MOST_CANDIDATES = 1 / 32
# Sums of a few dozen scores, and scores in single precision, are off by less than this share.
_ROUNDING = 1e-5
# How many sums are sampled to estimate where the best begin, and the least rank of the sample to go by.
_SAMPLE = 1 << 14
_LEAST_RANK = 8


def top_documents(matching: Matching, k: int, size: int, allowed: Mask | None = None) -> Integers:
    """The `k` slots below `size` with the highest scores above 0, ascending; ties go to lower slots."""
    slots = _candidates(matching, k, size, allowed)
    if slots is not None:
        scores = matching.scores(slots)
    else:
        totals = matching.totals(size)
        sums = totals if allowed is None else totals * allowed
        slots = _leaders(sums, k)
        scores = sums.take(slots).astype(np.float32)
    positive = (scores > 0).nonzero()[0]
    return best(scores.take(positive), slots.take(positive), k)[0]


def _candidates(matching: Matching, k: int, size: int, allowed: Mask | None) -> Integers | None:
    """A few slots that include the best; None if all that have a term have to be scored."""
    if matching.postings < _LEAST_POSTINGS and allowed is None:
        return None
    most = matching.postings * _MOST_CANDIDATES
    if allowed is not None and np.count_nonzero(allowed) < most:
        return np.flatnonzero(allowed)
    skipped = [span for span in matching.spans if span.tier == 0 and len(span.slots) >= _LEAST_POSTINGS]
    if not skipped:
        return None
    # What a document gains from a skipped span at most; if it has the term more often, it gains that instead.
    bounds = {span.term: matching.most(span) for span in skipped}
    left_out = {id(span) for span in skipped}
    others = [span for span in matching.spans if id(span) not in left_out]
    known = matching.sums(others, size, bounds)
    if allowed is not None:
        known *= allowed
    needed = _needed(matching, known, k) - sum(bounds.values())
    # Below 0 even a document of which nothing is known could be one of the best.
    slots = np.flatnonzero(known >= needed) if needed > 0 else np.zeros(0, np.int64)
    return slots if 0 < len(slots) < most else None


def _needed(matching: Matching, known: Sums, k: int) -> float:
    """A score that the `k` best reach: that of the `k`-th best of the slots of which most is known."""
    leaders = _leaders(known, _PROBES * k)
    if len(leaders) < k:
        return 0.0
    probes = best(known[leaders].astype(np.float32), leaders, _PROBES * k)[0]
    scores = matching.scores(probes)
    return float(kth(scores, k)) * (1 - _ROUNDING) - _ROUNDING


def _leaders(sums: Sums, count: int) -> Integers:
    """The slots of at least the `count` highest sums above 0, ascending; of all if they are fewer."""
    found: Integers
    step = max(1, len(sums) // _SAMPLE)
    sample = sums[::step]
    # Without the many that are 0: equal numbers make a partition slow.
    sample = sample[sample > 0]
    # Only a sample may miss some of the best.
    rank = 2 * count // step + _LEAST_RANK if step > 1 else count
    if rank < len(sample):
        bar = np.partition(sample, -rank)[-rank] * (1 - _ROUNDING)
        found = (sums >= bar).nonzero()[0]
        if len(found) >= count:
            return found
    # Compared first: numpy finds numbers that are not 0 ten times more slowly than truth values.
    found = (sums > 0).nonzero()[0]
    return found
