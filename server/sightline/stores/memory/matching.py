"""What the keyword index knows about the terms of one query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, TermCounts
from sightline.stores.memory.keywords import Keywords, Number
from sightline.stores.memory.postings import Slots, Span

Sums = NDArray[np.float64]

# Looking up a slot among the postings of a term costs about as much as going through this many of them.
_LOOK_UP = 24


class Matching:
    """The postings of a query's terms; valid while the keyword index does not change."""

    def __init__(self, keywords: Keywords, terms: Mapping[int, float]) -> None:
        self.keywords = keywords
        self.weights = keywords.term_weights(terms)
        self.spans = keywords.spans(self.weights)
        self.postings = sum(len(span.slots) for span in self.spans)
        self._rows = {term: row for row, term in enumerate(sorted(self.weights))}

    def counts(self, slots: Integers) -> TermCounts:
        """How often each term occurs in each of some ascending slots; a row for a term, by ascending id."""
        found = np.zeros((len(self._rows), len(slots)), np.uint16)
        if not len(slots):
            return found
        # In the type of the postings: otherwise a search among them would convert them all.
        wanted, short = slots.astype(np.int32), []
        for span in self.spans:
            if len(span.slots) < _LOOK_UP * len(slots):
                short.append(span)
            else:
                at, here = common(span.slots, wanted)
                found[self._rows[span.term], here] = span.counts[at]
        if short:
            self._add_short(found, short, slots)
        return found

    def _add_short(self, found: TermCounts, spans: Sequence[Span], slots: Integers) -> None:
        """Add the counts of some spans by going through all of their postings."""
        owners, counts = joined(spans), np.concatenate([span.counts for span in spans])
        wanted = np.zeros(max(int(slots[-1]), *(int(span.slots[-1]) for span in spans)) + 1, np.bool_)
        wanted[slots] = True
        at = np.flatnonzero(wanted.take(owners))
        ends = np.cumsum([len(span.slots) for span in spans])
        rows = np.array([self._rows[span.term] for span in spans])
        found[rows[np.searchsorted(ends, at, "right")], np.searchsorted(slots, owners[at])] = counts[at]

    def scores(self, slots: Integers, counts: TermCounts) -> Floats:
        """The BM25 scores of some slots that have these counts."""
        weights = np.array([self.weights[term] for term in self._rows])[:, None]
        # Added row by row, in the order in which `Keywords.scores` adds them.
        gains = self.keywords.gains(weights, slots, counts, np.float64)
        scores: Floats = gains.sum(axis=0).astype(np.float32)
        return scores

    def most(self, span: Span) -> float:
        """The most that a term adds to the score of a document of a span."""
        return self.keywords.most(self.weights[span.term], span.tier)

    def sums(
        self, spans: Sequence[Span], size: int, dtype: type[Number], less: Mapping[int, float] | None = None
    ) -> Sums:
        """What each slot below `size` gains from some spans, 0 without any.

        What `less` has for a term is taken off each of its gains.
        """
        if not spans:
            return np.zeros(size)
        owners, counts = joined(spans), np.concatenate([span.counts for span in spans])
        gains = self.keywords.gains(_repeated(spans, self.weights, dtype), owners, counts, dtype)
        if less:
            gains -= _repeated(spans, less, dtype)
        return np.bincount(owners, gains, minlength=size).astype(np.float64, copy=False)


def _repeated(spans: Sequence[Span], of_term: Mapping[int, float], dtype: type[Number]) -> NDArray[Number]:
    """For each posting of some spans the value of its term, 0 if there is none."""
    values = np.array([of_term.get(span.term, 0.0) for span in spans], dtype)
    return np.repeat(values, [len(span.slots) for span in spans])


def joined(spans: Sequence[Span]) -> Integers:
    """The slots of some spans, one span after the other."""
    # Converted once, not by every operation that uses them as positions.
    return np.concatenate([span.slots for span in spans], dtype=np.int64)


def common(longer: Slots, slots: Slots) -> tuple[Integers, Integers]:
    """Where the values that two ascending arrays share are in the first, and where in the second."""
    at = np.searchsorted(longer, slots)
    at[at == len(longer)] = 0
    here = np.flatnonzero(longer.take(at) == slots)
    return at[here], here
