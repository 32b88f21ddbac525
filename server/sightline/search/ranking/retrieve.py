"""Retrieves candidates by keywords and by vectors, both restricted by the filters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sightline.arrays import Floats, Integers, Mask, TermCounts
from sightline.search.query.classify import Intent, informative_terms
from sightline.search.query.message import value_terms
from sightline.search.ranking.constants import Tuning
from sightline.stores.memory.matching import Matching
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.vectors.matrix import best


class Term(NamedTuple):
    """A search term of the query: its position in the query, its number in the index, its information.

    `share` is how much of its information counts, which `idf` already regards.
    """

    text: str
    id: int | None
    idf: float
    position: int
    share: float = 1.0


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


def query_terms(memory: MemoryIndex, text: str, intent: Intent, pasted: bool, tuning: Tuning) -> list[Term]:
    """The distinct terms of a query; stopwords count only when there is nothing else."""
    found = informative_terms(text, intent)
    values = value_terms(text) if pasted else ()
    keywords = memory.keywords
    # An unknown term gets the IDF of df = 1, so coverage counts it as missing.
    unknown = float(np.log(keywords.documents + 1.0)) if keywords.documents else 0.0
    terms = []
    for position, term in enumerate(found):
        id = memory.vocabulary.get(term)
        share = tuning.message_values if term in values else 1.0
        # 0 if no chunk has the term any more.
        known = 0.0 if id is None else keywords.idf(id)
        terms.append(Term(term, id if known else None, (known or unknown) * share, position, share))
    limit = int(tuning.max_terms)
    if len(terms) > limit:
        terms = sorted(sorted(terms, key=lambda term: -term.idf)[:limit], key=lambda term: term.position)
    return terms


def matching(memory: MemoryIndex, terms: Iterable[Term]) -> Matching:
    """The postings of the terms that occur in the index."""
    return Matching(memory.keywords, {term.id: term.share for term in terms if term.id is not None})


class Nearest(NamedTuple):
    """The nearest slots, ascending, and their cosines; and those of every slot, if all had to be compared."""

    slots: Integers
    cosines: Floats
    every: Floats | None = None


def retrieve_by_vector(
    memory: MemoryIndex, vector: Floats | None, allowed: Mask | None, pool: int
) -> Nearest:
    """The nearest slots that pass the filters."""
    if vector is None or memory.space is None:
        return Nearest(np.zeros(0, np.int64), np.zeros(0, np.float32))
    every = memory.space.every(vector, memory.rows.size)
    if every is None:
        return Nearest(*memory.space.nearest(vector, pool, allowed))
    slots = memory.space.chunks.usable(allowed).nonzero()[0]
    return Nearest(*best(every.take(slots), slots, pool), every)


def union(memory: MemoryIndex, allowed: Mask | None, *sets: Integers) -> Integers:
    """The live slots of all sets that pass the filters, ascending."""
    # Marked in an array, which is faster than sorting them.
    found = np.zeros(memory.rows.size, np.bool_)
    for slots in sets:
        found[slots] = True
    slots = found.nonzero()[0]
    # What passes the filters is alive.
    passing: Integers = slots[(memory.rows["alive"] if allowed is None else allowed).take(slots)]
    return passing


def score(
    memory: MemoryIndex,
    keyword: Floats,
    nearest: Nearest,
    vector: Floats | None,
    slots: Integers,
) -> Candidates:
    """The given ascending slots as candidates, with their cosines; those of the nearest are known."""
    cosine, by_vector = np.zeros(len(slots), np.float32), np.zeros(len(slots), np.bool_)
    if vector is not None and memory.space is not None and len(slots):
        at = slots.searchsorted(nearest.slots)
        inside = (slots.take(at, mode="clip") == nearest.slots).nonzero()[0]
        at = at.take(inside)
        by_vector[at] = True
        if nearest.every is not None:
            cosine = nearest.every.take(slots)
        else:
            cosine[at] = nearest.cosines.take(inside)
            others = (~by_vector).nonzero()[0]
            cosine[others] = memory.space.chunks.cosines(vector, slots.take(others))
    return Candidates(slots, keyword, cosine, keyword > 0, by_vector)


def coverage(terms: Sequence[Term], counts: TermCounts) -> Floats:
    """For each slot, the share of the query's information that it contains, given the counts of the terms."""
    # The rows of the counts are by ascending id.
    known = sorted({term.id: term.idf for term in terms if term.id is not None}.items())
    values = np.array([idf for _, idf in known], np.float32)
    covered: Floats = values @ (counts > 0).astype(np.float32)
    covered /= np.float32(sum(term.idf for term in terms) or 1.0)
    return covered
