"""Immutable runs of postings, sorted by term: the keyword index is a short list of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers, Mask

Ids = NDArray[np.uint32]
Slots = NDArray[np.int32]
Counts = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Run:
    """Postings of `terms[i]` are `slots[starts[i]:starts[i + 1]]`, with as many `counts`."""

    terms: Ids
    starts: Integers
    slots: Slots
    counts: Counts

    @property
    def size(self) -> int:
        """How many postings the run holds."""
        return len(self.slots)

    def spans(self, terms: Ids) -> list[tuple[int, int]]:
        """Where each term's postings are; an empty span for a term the run does not know."""
        if not len(self.terms):
            return [(0, 0)] * len(terms)
        at = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        known = self.terms[at] == terms
        first = self.starts[at]
        last = np.where(known, self.starts[at + 1], first)
        return list(zip(first.tolist(), last.tolist(), strict=True))

    def terms_of(self, owners: Mask) -> Ids:
        """The term of each posting whose slot is marked."""
        places = np.flatnonzero(owners[self.slots])
        return self.terms[np.searchsorted(self.starts, places, side="right") - 1]


def build(slots: Integers, lengths: Integers, ids: Ids, counts: Counts) -> Run:
    """The run of several documents, `lengths[i]` terms each, one after the other."""
    order = np.argsort(ids, kind="stable")
    owners = np.repeat(slots.astype(np.int32), lengths)
    terms, starts = _boundaries(ids[order])
    return Run(terms, starts, owners[order], counts[order].astype(np.uint16, copy=False))


def merge(runs: Sequence[Run], live: Mask) -> Run:
    """Merge runs into one, without the postings of dead slots, in linear time and in the given order."""
    terms = np.unique(np.concatenate([run.terms for run in runs]))
    places = [np.searchsorted(terms, run.terms) for run in runs]
    sizes = [np.diff(run.starts) for run in runs]
    next_free = np.zeros(len(terms) + 1, dtype=np.int64)
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
    return _without_dead(Run(terms, starts, slots, counts), live)


def _without_dead(run: Run, live: Mask) -> Run:
    keep = live[run.slots]
    if keep.all():
        return run
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    bounds = kept_before[run.starts]
    present = np.diff(bounds) > 0
    starts = np.concatenate([bounds[:-1][present], bounds[-1:]])
    return Run(run.terms[present], starts, run.slots[keep], run.counts[keep])


def _boundaries(ordered: Ids) -> tuple[Ids, Integers]:
    change = np.flatnonzero(np.diff(ordered)) + 1
    starts = np.concatenate([[0], change, [len(ordered)]]).astype(np.int64)
    if not len(ordered):
        return ordered, starts[:1]
    return ordered[starts[:-1]], starts
