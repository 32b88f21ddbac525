"""Immutable runs of postings, sorted by term and tier: the keyword index is a short list of runs.

A tier holds the documents in which a term occurs about equally often, so that a query can skip the postings
that add too little to its score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers, Mask, TermCounts, TermIds, distinct

Slots = NDArray[np.int32]

# The highest count of each tier.
TIER_COUNTS = (1, 3, 7, 65535)
# A key is the id of a term, followed by two bits for the tier.
_TIER_BITS = np.uint32(2)
_TIERS = len(TIER_COUNTS)


class Span(NamedTuple):
    """The postings of a term in one tier of one run; the slots are ascending."""

    term: int
    tier: int
    slots: Slots
    counts: TermCounts


class Run(NamedTuple):
    """Postings of `keys[i]` are `slots[starts[i]:starts[i + 1]]`, ascending, with as many `counts`."""

    keys: TermIds
    starts: Integers
    slots: Slots
    counts: TermCounts

    @property
    def size(self) -> int:
        """How many postings the run holds."""
        return len(self.slots)

    def spans(self, terms: TermIds) -> list[Span]:
        """The postings of some terms, in the order of the terms, without empty spans."""
        if not len(self.keys) or not len(terms):
            return []
        wanted = (terms[:, None] << _TIER_BITS | np.arange(_TIERS, dtype=np.uint32)).ravel()
        at = self.keys.searchsorted(wanted)
        known = (self.keys.take(at, mode="clip") == wanted).nonzero()[0]
        at = at.take(known)
        bounds = zip(
            wanted.take(known).tolist(),
            self.starts.take(at).tolist(),
            self.starts.take(at + 1).tolist(),
            strict=True,
        )
        return [
            Span(key // _TIERS, key % _TIERS, self.slots[first:last], self.counts[first:last])
            for key, first, last in bounds
        ]

    def terms_of(self, owners: Mask) -> TermIds:
        """The term of each posting whose slot is marked."""
        places = np.flatnonzero(owners[self.slots])
        terms: TermIds = self.keys[np.searchsorted(self.starts, places, side="right") - 1] >> _TIER_BITS
        return terms


def build(slots: Integers, lengths: Integers, ids: TermIds, counts: TermCounts) -> Run:
    """The run of several documents in ascending slots, `lengths[i]` terms each, one after the other."""
    tiers = np.searchsorted(np.array(TIER_COUNTS, np.uint16), counts).astype(np.uint32)
    keys = ids << _TIER_BITS | tiers
    order = np.argsort(keys, kind="stable")
    owners = np.repeat(slots.astype(np.int32), lengths)
    distinct, starts = _boundaries(keys[order])
    return Run(distinct, starts, owners[order], counts[order].astype(np.uint16, copy=False))


def merge(runs: Sequence[Run], live: Mask) -> Run:
    """Merge runs, of which each has higher slots than those before, without the postings of dead slots."""
    keys = distinct(np.concatenate([run.keys for run in runs]))
    places = [np.searchsorted(keys, run.keys) for run in runs]
    sizes = [np.diff(run.starts) for run in runs]
    next_free = np.zeros(len(keys) + 1, dtype=np.int64)
    for place, size in zip(places, sizes, strict=True):
        next_free[place + 1] += size
    starts = np.cumsum(next_free)
    slots = np.empty(starts[-1], dtype=np.int32)
    counts = np.empty(starts[-1], dtype=np.uint16)
    free = starts[:-1].copy()
    for run, place, size in zip(runs, places, sizes, strict=True):
        target = np.repeat(free[place] - run.starts[:-1], size) + np.arange(run.size)
        slots[target] = run.slots
        counts[target] = run.counts
        free[place] += size
    return _without_dead(Run(keys, starts, slots, counts), live)


def _without_dead(run: Run, live: Mask) -> Run:
    keep = live[run.slots]
    if keep.all():
        return run
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    bounds = kept_before[run.starts]
    present = np.diff(bounds) > 0
    starts = np.concatenate([bounds[:-1][present], bounds[-1:]])
    return Run(run.keys[present], starts, run.slots[keep], run.counts[keep])


def _boundaries(ordered: TermIds) -> tuple[TermIds, Integers]:
    change = np.flatnonzero(np.diff(ordered)) + 1
    starts = np.concatenate([[0], change, [len(ordered)]]).astype(np.int64)
    if not len(ordered):
        return ordered, starts[:1]
    return ordered[starts[:-1]], starts
