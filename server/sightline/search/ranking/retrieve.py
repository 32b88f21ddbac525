"""Retrieves candidates by keywords and by vectors, both restricted by the filters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sightline.arrays import Floats, Integers, Mask
from sightline.search.query.classify import Intent
from sightline.search.query.terms import informative_terms
from sightline.search.ranking.constants import Tuning
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.vectors.matrix import best


@dataclass(frozen=True, slots=True)
class Term:
    """A search term of the query: its position in the query, its number in the index, its information."""

    text: str
    id: int | None
    idf: float
    position: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Candidates:
    """Chunks to rank, by ascending slot, with the score of each retriever."""

    slots: Integers
    keyword: Floats
    cosine: Floats
    by_keyword: Mask
    by_vector: Mask

    @property
    def has_vectors(self) -> bool:
        """Whether there was a vector to compare with: without one, all cosines are a meaningless 0."""
        return bool(self.cosine.any())


def query_terms(memory: MemoryIndex, text: str, intent: Intent, tuning: Tuning) -> list[Term]:
    """The distinct terms of a query; stopwords count only when there is nothing else."""
    found = informative_terms(text, intent)
    keywords = memory.keywords
    # An unknown term gets the IDF of df = 1, so coverage counts it as missing.
    unknown = float(np.log(keywords.documents + 1.0)) if keywords.documents else 0.0
    terms = []
    for position, term in enumerate(found):
        id = memory.vocabulary.get(term)
        known = id is not None and keywords.df(id)
        terms.append(
            Term(term, id if known else None, keywords.idf(id) if known and id else unknown, position)
        )
    limit = int(tuning.max_terms)
    if len(terms) > limit:
        terms = sorted(sorted(terms, key=lambda term: -term.idf)[:limit], key=lambda term: term.position)
    return terms


def keyword_scores(memory: MemoryIndex, terms: Iterable[Term], allowed: Mask | None) -> Floats:
    """The BM25 score of every slot, 0 outside the filters."""
    weights = {term.id: term.weight for term in terms if term.id is not None}
    scores = memory.keywords.scores(weights, memory.rows.size)
    if allowed is not None:
        scores[~allowed] = 0.0
    return scores


def best_slots(scores: Floats, count: int) -> Integers:
    """The slots with the highest positive scores."""
    positive = np.flatnonzero(scores)
    return best(scores[positive], positive, count)[0] if len(positive) > count else positive


@dataclass(frozen=True, slots=True)
class Found:
    """The results of the retrievers for one text: the slots of each, ascending, and BM25 of every slot."""

    by_keyword: Integers
    by_vector: Integers
    keyword: Floats | None


def retrieve(
    memory: MemoryIndex, keyword: Floats | None, vector: Floats | None, allowed: Mask | None, pool: int
) -> Found:
    """The best slots by BM25 and by vector that pass the filters."""
    lexical = best_slots(keyword, pool) if keyword is not None else np.zeros(0, np.int64)
    nearest = np.zeros(0, np.int64)
    if vector is not None and memory.space is not None:
        nearest, _ = memory.space.chunks.top(vector, pool, allowed)
    return Found(lexical, np.sort(nearest), keyword)


def union(memory: MemoryIndex, allowed: Mask | None, *sets: Integers) -> Integers:
    """The live slots of all sets that pass the filters, ascending."""
    slots = np.unique(np.concatenate(sets)).astype(np.int64)
    slots = slots[memory.rows["alive"][slots]]
    passing: Integers = slots if allowed is None else slots[allowed[slots]]
    return passing


def score(memory: MemoryIndex, found: Found, vector: Floats | None, slots: Integers) -> Candidates:
    """The scores of both retrievers for the given slots."""
    nothing = np.zeros(len(slots), np.float32)
    cosine = nothing
    if vector is not None and memory.space is not None:
        cosine = memory.space.chunks.cosines(vector, slots)
    keyword = found.keyword[slots] if found.keyword is not None else nothing
    return Candidates(slots, keyword, cosine, keyword > 0, np.isin(slots, found.by_vector))


def coverage(memory: MemoryIndex, terms: Iterable[Term], slots: Integers) -> Floats:
    """For each slot, the share of the query's information that it contains."""
    covered = np.zeros(len(slots), np.float32)
    total = 0.0
    for term in terms:
        total += term.idf
        if term.id is not None:
            covered[memory.keywords.occurs(term.id, memory.rows.size)[slots]] += term.idf
    covered /= np.float32(total or 1.0)
    return covered
