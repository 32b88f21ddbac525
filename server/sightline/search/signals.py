"""What speaks for each file: signals between 0 and 1, before they are weighed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.search import fuse
from sightline.search.constants import Tuning
from sightline.search.facts import Facts, PathTerms
from sightline.search.retrieve import Candidates, Term

Floats = NDArray[np.float32]
Files = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grouped:
    """Candidates by file: the files ascending, and for each candidate the position of its file."""

    files: Files
    owner: NDArray[np.int64]


def group(file_of_slot: NDArray[np.int32], candidates: Candidates) -> Grouped:
    """Bring the candidates of each file together."""
    files, owner = np.unique(file_of_slot[candidates.slots], return_inverse=True)
    return Grouped(files.astype(np.int64), owner.astype(np.int64))


def ranks_within(owner: NDArray[np.int64], scores: NDArray[Any]) -> NDArray[np.int64]:
    """For each candidate, how many of the same owner score higher."""
    order = np.lexsort((-scores, owner))
    owners = owner[order]
    firsts = np.searchsorted(owners, owners, side="left")
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - firsts
    return ranks


def decayed_sum(grouped: Grouped, scores: Floats, count: int, decay: float) -> Floats:
    """Each file's best scores summed, every next one worth less."""
    ranks = ranks_within(grouped.owner, scores)
    weights = np.where(ranks < count, decay**ranks, 0.0)
    return np.bincount(grouped.owner, scores * weights, minlength=len(grouped.files)).astype(np.float32)


def mean_of_best(grouped: Grouped, scores: Floats, count: int) -> Floats:
    """The mean of each file's best scores, fewer if it has fewer."""
    used = ranks_within(grouped.owner, scores) < count
    sums = np.bincount(grouped.owner, np.where(used, scores, 0.0), minlength=len(grouped.files))
    sizes = np.bincount(grouped.owner, used, minlength=len(grouped.files))
    return (sums / np.maximum(sizes, 1)).astype(np.float32)


def best_of(grouped: Grouped, scores: Floats) -> Floats:
    """Each file's best score."""
    best = np.zeros(len(grouped.files), np.float32)
    np.maximum.at(best, grouped.owner, scores.astype(np.float32))
    return best


def scaled(scores: Floats, tuning: Tuning, *, cosine: bool = False) -> Floats:
    """Scores of one retriever on the common scale."""
    matched = scores > 0 if not cosine else np.ones(len(scores), np.bool_)
    if tuning.fusion == 1:
        return fuse.reciprocal_rank(scores, matched, tuning.rrf_k)
    if tuning.fusion == 2:
        return fuse.z_score(scores, matched)
    return fuse.window(scores, matched) if cosine else fuse.min_max(scores, matched)


class PathSignals:
    """What the paths of all files have of the query's terms."""

    def __init__(self, facts: Facts, terms: Sequence[Term], files: int) -> None:
        self._files = files
        self._facts = facts
        self._wanted = np.zeros(facts.vocabulary, np.float32)
        self._order = np.zeros(facts.vocabulary, np.float32)
        self._total = sum(term.idf for term in terms) or 1.0
        last = max((term.position for term in terms), default=0) + 1
        for term, id in zip(terms, facts.ids([term.text for term in terms]), strict=True):
            if id is not None:
                self._wanted[id] = term.idf
                self._order[id] = 1.0 - term.position / last

    def _sum(self, rows: PathTerms, weights: Floats) -> Floats:
        return np.bincount(rows.owners, weights[rows.terms], minlength=self._files).astype(np.float32)

    @cached_property
    def share(self) -> Floats:
        """For each file, the part of the query's information that its name and folder carry."""
        facts = self._facts
        found = sum(self._sum(rows, self._wanted) for rows in (facts.stems, facts.compounds, facts.folders))
        return np.minimum(found / self._total, 1.0).astype(np.float32)

    def precision(self) -> Floats:
        """For each file, the part of its name's information that the query mentions."""
        terms = self._facts.stems.terms
        frequency = np.bincount(terms, minlength=self._facts.vocabulary)
        idf = np.log((self._files + 1) / np.maximum(frequency, 1)).astype(np.float32)
        asked = np.where(self._wanted > 0, idf, 0.0).astype(np.float32)
        whole = self._sum(self._facts.stems, idf)
        return (self._sum(self._facts.stems, asked) / np.maximum(whole, 1e-6)).astype(np.float32)

    def whole_stem(self) -> Floats:
        """For each file whose whole name is in the query, how early it stands there."""
        asked = (self._wanted > 0).astype(np.float32)
        mentioned = self._sum(self._facts.stems, asked)
        words = np.bincount(self._facts.stems.owners, minlength=self._files)
        early = self._sum(self._facts.stems, self._order) / np.maximum(words, 1)
        return np.where((mentioned >= words) & (words > 0), early, 0.0).astype(np.float32)
