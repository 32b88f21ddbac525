"""How much of the query a definition's name covers, and how much of the name the query covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from sightline.arrays import Floats, Integers, distinct_codes
from sightline.search.ranking.retrieve import Term
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.name_words import NameWords

# `failed` and `failure` have different stems with a common prefix; a shorter prefix may match by accident.
_LEAST_PREFIX = 4


def of_names(
    memory: MemoryIndex, slots: Integers, files: Integers, terms: Iterable[Term]
) -> dict[str, Floats]:
    """For each chunk of some files, the values of its best name: its own, or that of one defined in it."""
    if not len(slots):
        nothing = np.zeros(0, np.float32)
        return {"name_share": nothing, "name_precision": nothing}
    own, columns = memory.rows["symbol"][slots], memory.symbols.columns
    rows, at = _symbols_in(memory, slots, files)
    names, place = distinct_codes(np.concatenate([own, columns["name"][rows]]), len(memory.names))
    shares, precisions = _matches(memory.words, names, terms)
    worth = shares * precisions
    own, inside = place[: len(slots)], place[len(slots) :]
    best = own.copy()
    # By ascending worth, so that the last write, which wins, is the best.
    order = np.argsort(worth[inside], kind="stable")
    best[at[order]] = inside[order]
    best = np.where(worth[own] >= worth[best], own, best)
    return {"name_share": shares[best], "name_precision": precisions[best]}


def _symbols_in(memory: MemoryIndex, slots: Integers, files: Integers) -> tuple[Integers, Integers]:
    """The symbol rows in some ascending slots, those of a slot ascending, with the position of its slot."""
    rows = memory.symbols.of_files(files)
    wanted = memory.symbols.columns["slot"][rows]
    at = np.minimum(np.searchsorted(slots, wanted), len(slots) - 1)
    inside = np.flatnonzero(slots[at] == wanted)
    return rows[inside], at[inside]


def _matches(words: NameWords, names: Integers, terms: Iterable[Term]) -> tuple[Floats, Floats]:
    """For each name, the share of the query's information it covers, and of its words that the query has."""
    words.follow()
    owners, parts = words.of(names)
    sizes = np.maximum(np.bincount(owners, minlength=len(names)), 1).astype(np.float32)
    like = [(term, set(_like(words, term.text))) for term in terms]
    wanted = np.zeros(len(words), np.bool_)
    wanted[list(set().union(*(found for _, found in like)))] = True
    asked = wanted[parts]
    owners, parts = owners[asked], parts[asked]
    known = np.bincount(owners, minlength=len(names)).astype(np.float32)
    shares = np.zeros(len(names), np.float32)
    # Few words are left, and most of them several times.
    distinct, place = np.unique(parts, return_inverse=True)
    for term, found in like:
        matching = np.array([word in found for word in distinct.tolist()], np.bool_)
        covering = np.zeros(len(names), np.bool_)
        covering[owners[matching[place]]] = True
        shares[covering] += np.float32(term.idf)
    total = sum(term.idf for term, _ in like)
    return shares / np.float32(total or 1.0), known / sizes


def _like(words: NameWords, term: str) -> Iterator[int]:
    """The words of names that equal the term, start with it, or that it starts with."""
    yield from words.find_some([term[:length] for length in range(_LEAST_PREFIX, len(term))] + [term])
    if len(term) >= _LEAST_PREFIX:
        yield from words.starting_with(term)
