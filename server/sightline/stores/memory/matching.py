"""What the keyword index knows about the terms of one query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, TermCounts
from sightline.stores.memory.keywords import Keywords
from sightline.stores.memory.postings import Slots, Span

# Looking up a slot among the postings of a term costs about as much as going through this many of them.
_LOOK_UP = 8
# With more postings than this share of all slots, an array over all slots is filled span by span.
_DENSE_SHARE = 0.25


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
        short = []
        for span in self.spans:
            if len(span.slots) < _LOOK_UP * len(slots):
                short.append(span)
            else:
                # The slots of a run are all above those of the runs before it.
                first, last = np.searchsorted(slots, (span.slots[0], span.slots[-1] + 1))
                at, here = common(span.slots, slots[first:last])
                found[self._rows[span.term], first + here] = span.counts[at]
        if short:
            owners, rows = joined(short), self._repeated(short, self._rows)
            place = np.zeros(int(max(owners.max(), slots[-1])) + 1, np.int32)
            place[slots] = np.arange(1, len(slots) + 1)
            at = np.flatnonzero(place[owners])
            counts = np.concatenate([span.counts for span in short])
            found[rows[at], place[owners[at]] - 1] = counts[at]
        return found

    def scores(self, slots: Integers, counts: TermCounts) -> Floats:
        """The BM25 scores of some slots that have these counts."""
        weights = np.array([self.weights[term] for term in self._rows])[:, None]
        # Added row by row, in the order in which `Keywords.scores` adds them.
        gains = self.keywords.gains(weights, slots, counts, np.float64)
        scores: Floats = gains.sum(axis=0).astype(np.float32)
        return scores

    def gains(self, span: Span) -> Floats:
        """What a term adds to the scores of the documents of a span, in single precision."""
        weight = np.float32(self.weights[span.term])
        return self.keywords.gains(weight, span.slots, span.counts, np.float32)

    def most(self, span: Span) -> float:
        """The most that a term adds to the score of a document of a span."""
        return self.keywords.most(self.weights[span.term], span.tier)

    def every(self, size: int) -> tuple[Integers, Floats]:
        """The slots below `size` that have one of the terms, ascending, and their scores."""
        if self.postings > size * _DENSE_SHARE or not self.spans:
            scores = np.zeros(size)
            for span in self.spans:
                scores[span.slots] += self.keywords.gains(
                    self.weights[span.term], span.slots, span.counts, np.float64
                )
            slots = np.flatnonzero(scores)
            return slots, scores[slots].astype(np.float32)
        owners = joined(self.spans)
        seen = np.zeros(size, np.bool_)
        seen[owners] = True
        slots = np.flatnonzero(seen)
        place = np.empty(size, np.int32)
        place[slots] = np.arange(len(slots))
        weights = self._repeated(self.spans, self.weights)
        counts = np.concatenate([span.counts for span in self.spans])
        gains = self.keywords.gains(weights, owners, counts, np.float64)
        return slots, np.bincount(place[owners], gains, minlength=len(slots)).astype(np.float32)

    def _repeated(self, spans: Sequence[Span], of_term: Mapping[int, float]) -> NDArray[np.float64]:
        """For each posting of some spans the value of its term."""
        return np.repeat([of_term[span.term] for span in spans], [len(span.slots) for span in spans])


def joined(spans: Sequence[Span]) -> Slots:
    """The slots of some spans, one span after the other."""
    return np.concatenate([span.slots for span in spans])


def common(longer: Slots, slots: Integers) -> tuple[Integers, Integers]:
    """Where the values that two ascending arrays share are in the first, and where in the second."""
    at = np.searchsorted(longer, slots)
    at[at == len(longer)] = 0
    here = np.flatnonzero(longer[at] == slots)
    return at[here], here
