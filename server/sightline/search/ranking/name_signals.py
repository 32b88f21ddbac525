"""How much of the query a definition's name covers, and how much of the name the query covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sightline.arrays import Floats, Integers, distinct_codes
from sightline.search.ranking.retrieve import Term
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.name_words import NameWords

# `failed` and `failure` have different stems with a common prefix; a shorter prefix may match by accident.
_LEAST_PREFIX = 4


def of_names(
    memory: MemoryIndex, slots: Integers, files: Integers, terms: Sequence[Term]
) -> dict[str, Floats]:
    """For each chunk of some files, the values of its best name: its own, or that of one defined in it."""
    if not len(slots) or not terms:
        nothing = np.zeros(len(slots), np.float32)
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


def _matches(words: NameWords, names: Integers, terms: Sequence[Term]) -> tuple[Floats, Floats]:
    """For each name, the share of the query's information it covers, and of its words that the query has."""
    words.follow()
    owners, parts = words.of(names)
    sizes = np.maximum(np.bincount(owners, minlength=len(names)), 1).astype(np.float32)
    like = _like(words, [term.text for term in terms])
    # For each word the terms that it is like: one column of truth values for each word that is like any.
    alike = list(set().union(*like))
    terms_like = np.array([[word in found for word in alike] for found in like], np.bool_)
    column = np.full(len(words), -1, np.int32)
    column[alike] = np.arange(len(alike))
    asked = np.flatnonzero(column[parts] >= 0)
    owners, columns = owners[asked], column[parts[asked]]
    known = np.bincount(owners, minlength=len(names)).astype(np.float32)
    covering = np.zeros((len(terms), len(names)), np.bool_)
    term, at = np.nonzero(terms_like[:, columns])
    covering[term, owners[at]] = True
    values = np.array([term.idf for term in terms], np.float32)
    return (values @ covering) / np.float32(values.sum() or 1.0), known / sizes


def _like(words: NameWords, terms: Sequence[str]) -> list[set[int]]:
    """For each term, the words of names that equal it, start with it, or that it starts with."""
    parts = {term[:length] for term in terms for length in range(_LEAST_PREFIX, len(term))}
    found = {number: words.word(number) for number in words.find_some([*parts.union(terms)])}
    longer = [words.starting_with(term) if len(term) >= _LEAST_PREFIX else () for term in terms]
    return [
        {*more, *(number for number, word in found.items() if word == term or _starts_with(term, word))}
        for term, more in zip(terms, longer, strict=True)
    ]


def _starts_with(term: str, word: str) -> bool:
    return len(word) >= _LEAST_PREFIX and term.startswith(word)
