"""What the keyword index knows about the terms of one query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, TermCounts
from sightline.stores.memory.keywords import Keywords, Number
from sightline.stores.memory.postings import Slots, Span

Sums = NDArray[np.float64]

# Looking up a slot among the postings of a term costs about as much as going through this many of them.
_LOOK_UP = 24


class _Joined(NamedTuple):
    """The postings of some spans one after the other; for each span the row of its term, and its size."""

    rows: Integers
    sizes: Integers
    slots: Integers
    counts: TermCounts
    # The highest slot of any.
    highest: int


class Matching:
    """The postings of a query's terms; valid while the keyword index does not change."""

    def __init__(self, keywords: Keywords, terms: Mapping[int, float]) -> None:
        self.keywords = keywords
        self.weights = keywords.term_weights(terms)
        self.spans = keywords.spans(self.weights)
        sizes = [len(span.slots) for span in self.spans]
        self.postings = sum(sizes)
        self._longest = max(sizes, default=0)
        self._rows = {term: row for row, term in enumerate(sorted(self.weights))}
        self._totals: Sums | None = None

    def counts(self, slots: Integers) -> TermCounts:
        """How often each term occurs in each of some ascending slots; a row for a term, by ascending id."""
        found = np.zeros((len(self._rows), len(slots)), np.uint16)
        if not len(slots) or not self.spans:
            return found
        shorter = _LOOK_UP * len(slots)
        if self._longest < shorter:
            _add(found, self._all, slots)
            return found
        # In the type of the postings: otherwise a search among them would convert them all.
        wanted, short = slots.astype(np.int32), []
        for span in self.spans:
            if len(span.slots) < shorter:
                short.append(span)
            else:
                at, here = common(span.slots, wanted)
                found[self._rows[span.term], here] = span.counts[at]
        if short:
            _add(found, self._joined(short), slots)
        return found

    def scores(self, slots: Integers, counts: TermCounts | None = None) -> Floats:
        """The BM25 scores of some ascending slots; `counts` are those of the slots, if they are known."""
        if self._totals is not None:
            return self._totals.take(slots).astype(np.float32)
        weights = np.array([self.weights[term] for term in self._rows])[:, None]
        counts = self.counts(slots) if counts is None else counts
        # Added row by row, in the order in which `Keywords.scores` adds them.
        gains = self.keywords.gains(weights, slots, counts, np.float64)
        scores: Floats = gains.sum(axis=0).astype(np.float32)
        return scores

    def most(self, span: Span) -> float:
        """The most that a term adds to the score of a document of a span."""
        return self.keywords.most(self.weights[span.term], span.tier)

    def totals(self, size: int) -> Sums:
        """The scores of all slots below `size`, by going through all postings; kept for `scores`."""
        if self._totals is None:
            self._totals = self._sums(self._all, size, np.float64) if self.spans else np.zeros(size)
        return self._totals

    def sums(self, spans: Sequence[Span], size: int, less: Mapping[int, float]) -> Sums:
        """About what each slot below `size` gains from some spans, 0 without any.

        What `less` has for a term is taken off each of its gains.
        """
        return self._sums(self._joined(spans), size, np.float32, less) if spans else np.zeros(size)

    def _sums(
        self, joined: _Joined, size: int, dtype: type[Number], less: Mapping[int, float] | None = None
    ) -> Sums:
        gains = self.keywords.gains(
            self._repeated(joined, self.weights, dtype), joined.slots, joined.counts, dtype
        )
        if less:
            gains -= self._repeated(joined, less, dtype)
        return np.bincount(joined.slots, gains, minlength=size).astype(np.float64, copy=False)

    def _repeated(
        self, joined: _Joined, of_term: Mapping[int, float], dtype: type[Number]
    ) -> NDArray[Number]:
        """For each posting the value of its term, 0 if there is none."""
        values = np.array([of_term.get(term, 0.0) for term in self._rows], dtype)
        return values.take(joined.rows).repeat(joined.sizes)

    @cached_property
    def _all(self) -> _Joined:
        return self._joined(self.spans)

    def _joined(self, spans: Sequence[Span]) -> _Joined:
        return _Joined(
            np.array([self._rows[span.term] for span in spans], np.int64),
            np.array([len(span.slots) for span in spans], np.int64),
            # Converted once, not by every operation that uses them as positions.
            np.concatenate([span.slots for span in spans], dtype=np.int64),
            np.concatenate([span.counts for span in spans]),
            max(int(span.slots[-1]) for span in spans),
        )


def _add(found: TermCounts, postings: _Joined, slots: Integers) -> None:
    """Add the counts of postings in some slots by going through all of the postings."""
    wanted = np.zeros(max(int(slots[-1]), postings.highest) + 1, np.bool_)
    wanted[slots] = True
    at = wanted.take(postings.slots).nonzero()[0]
    rows = postings.rows.take(postings.sizes.cumsum().searchsorted(at, "right"))
    columns = slots.searchsorted(postings.slots.take(at))
    # As one row: with two numbers for each place it takes twice as long.
    found.reshape(-1)[rows * len(slots) + columns] = postings.counts.take(at)


def common(longer: Slots, slots: Slots) -> tuple[Integers, Integers]:
    """Where the values that two ascending arrays share are in the first, and where in the second."""
    at = longer.searchsorted(slots)
    at[at == len(longer)] = 0
    here = (longer.take(at) == slots).nonzero()[0]
    return at[here], here
