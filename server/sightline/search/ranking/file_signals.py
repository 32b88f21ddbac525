"""Signals for a file as a whole: all its chunks together, and its path."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, distinct_codes
from sightline.search.ranking.retrieve import Candidates, Term
from sightline.stores.memory.path_table import PathTable, PathTerms

# Keeps the share that a score is behind the best below 1.
_MORE_THAN_ALL = 1.001


class Grouped(NamedTuple):
    """Candidates by file: the files ascending, and for each candidate the position of its file."""

    files: Integers
    owner: Integers


def group(file_of_slot: NDArray[np.int32], candidates: Candidates, files: int) -> Grouped:
    """Group the candidates by file; all files have numbers below `files`."""
    found, owner = distinct_codes(file_of_slot[candidates.slots], files)
    return Grouped(found, owner.astype(np.int64))


def ranks_within(owner: Integers, scores: NDArray[Any]) -> Integers:
    """For each candidate, how many others of the same owner score higher."""
    if not len(scores):
        return np.zeros(0, np.int64)
    best = float(scores.max())
    # One key for both, the owner and a fraction, sorts in half the time of two.
    behind = (best - scores.astype(np.float64)) / ((best - float(scores.min())) * _MORE_THAN_ALL or 1.0)
    order = (owner + behind).argsort(kind="stable")
    sizes = np.bincount(owner)
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - (sizes.cumsum() - sizes).repeat(sizes)
    return ranks


class BestOfFiles(NamedTuple):
    """By rows of scores: the weighted sum of each file's best ones, and where the best is."""

    sums: NDArray[np.float64]
    tops: Integers


def best_of_files(grouped: Grouped, scores: Floats, weights: NDArray[np.float64]) -> BestOfFiles:
    """The best of each file by each row of scores; the n-th best counts with the n-th weight of the row."""
    sizes = np.bincount(grouped.owner, minlength=len(grouped.files))
    starts = sizes.cumsum() - sizes
    order = _order_within(grouped.owner, scores)
    ordered = np.array([row.take(at) for row, at in zip(scores, order, strict=True)])
    ranks = np.arange(scores.shape[1]) - starts.repeat(sizes)
    # Beyond the last weight, which is 0, nothing counts.
    counted = ordered * weights.take(ranks, axis=1, mode="clip")
    return BestOfFiles(np.add.reduceat(counted, starts, axis=1), order.take(starts, axis=1))


def _order_within(owner: Integers, scores: Floats) -> Integers:
    """For each row of scores, the candidates by owner, those of an owner best first; ties in any order."""
    best, least = scores.max(axis=1, keepdims=True), scores.min(axis=1, keepdims=True)
    span = (best - least.astype(np.float64)) * _MORE_THAN_ALL
    # One key for both, the owner and a fraction, sorts in half the time of two.
    behind = (best - scores.astype(np.float64)) / np.where(span > 0, span, 1.0)
    order: Integers = (owner + behind).argsort(axis=1)
    return order


def best_scores(grouped: Grouped, scores: Floats) -> Floats:
    """The best score of each file."""
    best = np.full(len(grouped.files), -np.inf, np.float32)
    np.maximum.at(best, grouped.owner, scores)
    return best


def behind_best(grouped: Grouped, scores: Floats, best: Floats) -> Floats:
    """How far each candidate is below the best of its file: 0 for the best, else negative."""
    behind: Floats = scores - best.take(grouped.owner)
    return behind


class PathSignals:
    """How well the paths of all files match the query's terms."""

    def __init__(self, paths: PathTable, terms: Sequence[Term], files: int) -> None:
        self._files = files
        self._paths = paths
        self._wanted = np.zeros(paths.vocabulary, np.float32)
        self._order = np.zeros(paths.vocabulary, np.float32)
        self._total = sum(term.idf for term in terms) or 1.0
        last = max((term.position for term in terms), default=0) + 1
        for term, id in zip(terms, paths.ids([term.text for term in terms]), strict=True):
            if id is not None:
                self._wanted[id] = term.idf
                self._order[id] = 1.0 - term.position / last

    def _sum(self, rows: PathTerms, weights: Floats) -> Floats:
        # Truth values are compared several times as fast as numbers, and few terms are asked for.
        matching = (weights > 0).take(rows.terms).nonzero()[0]
        if not len(matching):
            return np.zeros(self._files, np.float32)
        found = weights.take(rows.terms.take(matching))
        return np.bincount(rows.owners.take(matching), found, minlength=self._files).astype(np.float32)

    @cached_property
    def share(self) -> Floats:
        """For each file, the share of the query's information that its name and folder contain."""
        paths = self._paths
        found = sum(self._sum(rows, self._wanted) for rows in (paths.stems, paths.compounds, paths.folders))
        return np.minimum(found / self._total, 1.0).astype(np.float32)

    def of_stems(self, files: Integers) -> tuple[Floats, Floats]:
        """How well the names of some files match.

        For each file, the share of its name's information that the query mentions; and if the query has its
        whole name, how early.
        """
        owners, terms = self._paths.terms_of_stems(files)
        idf, asked = self._paths.stem_idf.take(terms), self._wanted.take(terms) > 0

        def total(values: NDArray[Any]) -> Floats:
            return np.bincount(owners, values, minlength=len(files)).astype(np.float32)

        precision = total(idf * asked) / np.maximum(total(idf), 1e-6)
        words = np.bincount(owners, minlength=len(files))
        early = total(self._order.take(terms)) / np.maximum(words, 1)
        whole = np.where((total(asked) >= words) & (words > 0), early, 0.0)
        return precision.astype(np.float32), whole.astype(np.float32)
