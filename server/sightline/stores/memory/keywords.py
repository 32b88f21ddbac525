"""BM25 over slots and term ids: an exact inverted index whose update cost depends on the edit only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, TermCounts, TermIds, grown
from sightline.stores.memory.postings import TIER_COUNTS, Run, Slots, Span, build, merge
from sightline.stores.memory.snapshot import Array, Arrays, Growing

# The type of the array it is added to, with intp indices: other types make numpy fifty times slower.
_ONE = np.int32(1)
Number = TypeVar("Number", np.float32, np.float64)


class Keywords:
    """Scores like rank_bm25.BM25Plus with delta=0; the caller excludes readers during a write."""

    def __init__(self, k1: float = 1.5, b: float = 0.75) -> None:
        self.k1 = k1
        self.b = b
        self.documents = 0
        self._total_length = 0
        # Newest last, each larger than all that follow together: a posting is moved at most O(log n) times.
        self._runs: tuple[Run, ...] = ()
        self._frequency = np.zeros(0, dtype=np.int32)
        self._lengths = np.zeros(0, dtype=np.int32)
        self._live = np.zeros(0, dtype=np.bool_)
        # The slots below this number were given to documents, some of which may be dead.
        self._size = 0
        self._dead = 0

    @property
    def average_length(self) -> float:
        """Mean number of tokens of the live documents; 0 if there are none."""
        return self._total_length / self.documents if self.documents else 0.0

    def add_many(self, slots: Integers, lengths: Integers, ids: TermIds, counts: TermCounts) -> None:
        """Add documents: `lengths[i]` distinct terms each, concatenated; each slot is above all before it."""
        if not len(slots):
            return
        if slots[0] < self._size or (np.diff(slots) <= 0).any():
            raise ValueError("a document needs a slot above all others")
        self._size = int(slots[-1]) + 1
        self._reserve(self._size, int(ids.max()) + 1 if len(ids) else 0)
        self._live[slots] = True
        tokens = _sums(counts, lengths)
        self._lengths[slots] = tokens
        self._count(len(slots), int(tokens.sum()))
        np.add.at(self._frequency, ids.astype(np.intp), _ONE)
        if len(ids):
            self._append(build(slots, lengths, ids, counts))

    def remove(self, slot: int, ids: TermIds, counts: TermCounts) -> None:
        """Remove a document, whose terms the caller passes again; its slot is dead from now on."""
        if slot >= len(self._live) or not self._live[slot]:
            raise ValueError(f"slot {slot} holds no document")
        self._live[slot] = False
        self._dead += 1
        self._count(-1, -int(counts.sum(dtype=np.int64)))
        self._frequency[ids] -= 1

    def discard(self, slots: Integers) -> None:
        """Remove documents whose terms are no longer known, by one scan of all postings."""
        gone = np.zeros(len(self._live), dtype=np.bool_)
        gone[slots[slots < len(gone)]] = True
        gone &= self._live
        if not gone.any():
            return
        for run in self._runs:
            np.subtract.at(self._frequency, run.terms_of(gone).astype(np.intp), _ONE)
        self._live[gone] = False
        self._dead += int(gone.sum())
        self._count(-int(gone.sum()), -int(self._lengths[gone].sum(dtype=np.int64)))

    def df(self, term: int) -> int:
        """In how many live documents a term occurs."""
        return int(self._frequency[term]) if 0 <= term < len(self._frequency) else 0

    def frequencies(self, terms: Integers) -> Integers:
        """In how many live documents each of some terms occurs."""
        # New terms may have numbers above those of all documents.
        if len(terms) and terms.max() < len(self._frequency):
            return self._frequency.take(terms).astype(np.int64)
        known = np.zeros(len(terms), np.int64)
        inside = terms < len(self._frequency)
        known[inside] = self._frequency[terms[inside]]
        return known

    def idf(self, term: int) -> float:
        """The inverse document frequency of a term; 0 for one that occurs nowhere."""
        frequency = self.df(term)
        return math.log((self.documents + 1) / frequency) if frequency else 0.0

    def postings(self, term: int) -> Integers:
        """The live slots a term occurs in, ascending."""
        found = [span.slots for span in self.spans((term,))]
        slots = np.concatenate(found) if found else np.zeros(0, dtype=np.int32)
        return np.sort(slots[self._live[slots]]).astype(np.int64)

    def spans(self, terms: Iterable[int]) -> list[Span]:
        """The postings of some terms, by run, term and tier; those of dead slots may be among them."""
        wanted = np.array(sorted(terms), dtype=np.uint32)
        return [span for run in self._runs for span in run.spans(wanted)]

    def term_weights(self, terms: Mapping[int, float]) -> dict[int, float]:
        """The weights of the terms that occur anywhere, multiplied by their information."""
        # It is above 0 for those that occur.
        return {term: weight * idf for term, weight in terms.items() if (idf := self.idf(term))}

    def scores(self, terms: Mapping[int, float], size: int) -> Floats:
        """The score of every slot below `size`, 0 where nothing matches; a weight multiplies its term."""
        weights = self.term_weights(terms)
        scores = np.zeros(size)
        for span in self.spans(weights):
            # No slot occurs twice among the postings of a term.
            scores[span.slots] += self.gains(weights[span.term], span.slots, span.counts, np.float64)
        return scores.astype(np.float32)

    def gains(
        self,
        weight: float | NDArray[Number],
        slots: Integers | Slots,
        counts: TermCounts,
        dtype: type[Number],
    ) -> NDArray[Number]:
        """The score that a term adds to each of some documents, given its weight and its counts there.

        For several terms there is a row of counts for each.
        """
        # Norms are computed for these documents only: those of all would have to be recomputed after every
        # save. Mostly in place, because the arrays are long and there are many of them.
        gains = counts.astype(dtype)
        norms = self._lengths.take(slots).astype(dtype)
        norms *= self.k1 * self.b / (self.average_length or 1.0)
        norms += self.k1 * (1 - self.b)
        norms = norms + gains
        gains *= weight * (self.k1 + 1)
        gains /= norms
        if self._dead:
            # Postings that remain of dead slots must not count.
            gains *= self._live.take(slots)
        return gains

    def most(self, weight: float, tier: int) -> float:
        """The most that a term adds to the score of a document in one of its tiers."""
        count = TIER_COUNTS[tier]
        # A document is at least as long as the count of one of its terms.
        length = self.k1 * self.b * count / (self.average_length or 1.0)
        return weight * (self.k1 + 1) * count / (count + self.k1 * (1 - self.b) + length)

    def arrays(self) -> Arrays:
        """The arrays from which `use` restores the index."""
        run = self._whole()
        slots = self._size
        terms = int(np.flatnonzero(self._frequency).max(initial=-1)) + 1
        return {
            "keys": run.keys,
            "starts": run.starts,
            "slots": run.slots,
            "counts": run.counts,
            "frequency": Growing(self._frequency[:terms]),
            "lengths": Growing(self._lengths[:slots]),
            "live": Growing(self._live[:slots]),
            "totals": np.array([self.documents, self._total_length, slots], np.int64),
        }

    def use(self, arrays: Mapping[str, Array]) -> None:
        """Restore what `arrays` returned, in which no dead document has a posting."""
        run = Run(arrays["keys"], arrays["starts"], arrays["slots"], arrays["counts"])
        self._runs = (run,) if run.size else ()
        self._frequency = arrays["frequency"]
        self._lengths = arrays["lengths"]
        self._live = arrays["live"]
        self.documents, self._total_length, self._size = arrays["totals"].tolist()
        self._dead = 0

    def _whole(self) -> Run:
        """All postings of live documents in one run."""
        if len(self._runs) == 1 and not self._dead:
            return self._runs[0]
        return merge(self._runs, self._live) if self._runs else build(*_NOTHING)

    def _append(self, run: Run) -> None:
        runs = [*self._runs, run]
        first, tail = len(runs) - 1, run.size
        while first and runs[first - 1].size <= tail:
            first -= 1
            tail += runs[first].size
        if first < len(runs) - 1:
            runs[first:] = [merge(runs[first:], self._live)]
        self._runs = tuple(runs)

    def _count(self, documents: int, tokens: int) -> None:
        self.documents += documents
        self._total_length += tokens

    def _reserve(self, slots: int, terms: int) -> None:
        self._lengths = grown(self._lengths, slots)
        self._live = grown(self._live, slots)
        self._frequency = grown(self._frequency, terms)


_NOTHING = (
    np.zeros(0, dtype=np.int64),
    np.zeros(0, dtype=np.int64),
    np.zeros(0, dtype=np.uint32),
    np.zeros(0, dtype=np.uint16),
)


def _sums(counts: TermCounts, lengths: Integers) -> Integers:
    before = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    ends = np.cumsum(lengths)
    sums: Integers = before[ends] - before[ends - lengths]
    return sums
