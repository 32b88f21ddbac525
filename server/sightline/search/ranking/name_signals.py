"""How much of the query a definition's name covers, and how much of the name the query covers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, Mask, distinct_codes
from sightline.search.ranking.retrieve import Term
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.name_words import NameWords

# `failed` and `failure` have different stems with a common prefix; a shorter prefix may match by accident.
_LEAST_PREFIX = 4
# Comparing the names of all symbols takes less than finding out which of this many times fewer are distinct.
_ALL_NAMES = 2
# So many truth values are combined at a time.
_WORD_BYTES = 8


class _Matches(NamedTuple):
    """For each name, the share of the query's information it covers, and of its words that the query has."""

    shares: Floats
    precisions: Floats


def of_names(
    memory: MemoryIndex, slots: Integers, files: Integers, terms: Sequence[Term]
) -> dict[str, Floats]:
    """For each chunk of some files, the values of its best name: its own, or that of one defined in it."""
    share, precision = np.zeros((2, len(slots)), np.float32)
    if len(slots) and terms:
        memory.words.follow()
        inside, rows = _symbols_in(memory, slots, files)
        codes = np.concatenate([memory.symbols.columns["name"].take(rows), memory.rows["symbol"].take(slots)])
        place, sizes, parts = _words_of(memory, codes)
        matches = _matches(memory.words, sizes, parts, terms)
        worth = (matches.shares * matches.precisions).take(place)
        some = (worth > 0).nonzero()[0]
        first_own = int(some.searchsorted(len(rows)))
        at = np.concatenate([slots.searchsorted(inside.take(some[:first_own])), some[first_own:] - len(rows)])
        known, best = _best_of_each(at, worth.take(some), len(slots))
        chosen = place.take(some.take(best))
        share[known], precision[known] = matches.shares.take(chosen), matches.precisions.take(chosen)
    return {"name_share": share, "name_precision": precision}


def _symbols_in(memory: MemoryIndex, slots: Integers, files: Integers) -> tuple[Integers, Integers]:
    """The slots of the symbols that are in one of some slots, and their rows, ascending within a file."""
    rows = memory.symbols.of_files(files)
    wanted = memory.symbols.columns["slot"].take(rows)
    here = np.zeros(memory.rows.size, np.bool_)
    here[slots] = True
    inside = here.take(wanted).nonzero()[0]
    return wanted.take(inside), rows.take(inside)


def _best_of_each(owners: Integers, worth: Floats, count: int) -> tuple[Integers, Integers]:
    """The owners below `count` that have anything, ascending, and the position of the best that each has.

    Of what is worth the same, the last is the best.
    """
    # The bits of numbers that are not negative are in the order of the numbers.
    keys = worth.view(np.int32).astype(np.int64) << 32 | np.arange(len(worth))
    best = np.full(count, -1, np.int64)
    np.maximum.at(best, owners, keys)
    known = (best >= 0).nonzero()[0]
    return known, best.take(known) & 0xFFFFFFFF


def _words_of(
    memory: MemoryIndex, codes: NDArray[np.int32]
) -> tuple[NDArray[np.int32], Integers, NDArray[np.int32]]:
    """For each code of a name its position among some names; how many words each has; and their words."""
    if len(memory.names) < _ALL_NAMES * len(codes):
        return codes, *memory.words.every()
    names, place = distinct_codes(codes, len(memory.names))
    return place, *memory.words.lists(names)


def _matches(words: NameWords, sizes: Integers, parts: NDArray[np.int32], terms: Sequence[Term]) -> _Matches:
    """What the terms cover of some names, whose words follow each other."""
    shares, precisions = np.zeros((2, len(sizes)), np.float32)
    like = _like(words, [term.text for term in terms])
    places = {word: place for place, word in enumerate(set(chain.from_iterable(like)), 1)}
    # For each word its place among those that a term is like, 0 for all others.
    column = np.zeros(len(words), np.int32)
    column[[*places]] = np.arange(1, len(places) + 1)
    columns = column.take(parts)
    asked = (columns > 0).nonzero()[0]
    if len(asked):
        owners = sizes.cumsum().searchsorted(asked, "right")
        changes = (owners[1:] != owners[:-1]).nonzero()[0] + 1
        bounds = np.concatenate([[0], changes, [len(asked)]])
        some = owners.take(bounds[:-1])
        covering = _united(_truth_table(like, places), columns.take(asked), bounds[:-1])
        values = np.array([term.idf for term in terms], np.float32)
        shares[some] = (values @ covering[: len(terms)]) / np.float32(values.sum() or 1.0)
        precisions[some] = (bounds[1:] - bounds[:-1]).astype(np.float32) / sizes.take(some).astype(np.float32)
    return _Matches(shares, precisions)


def _truth_table(like: Sequence[Collection[int]], places: Mapping[int, int]) -> Mask:
    """A row for each place of a word, with the terms that are like it, filled up to whole machine words."""
    width = -(-len(like) // _WORD_BYTES) * _WORD_BYTES
    table = np.zeros((len(places) + 1, width), np.bool_)
    for term, words in enumerate(like):
        table[[places[word] for word in words], term] = True
    return table


def _united(table: Mask, rows: NDArray[np.int32], starts: Integers) -> Floats:
    """For each group of rows of a table, a column of what any of them has; `starts` is where groups begin."""
    # Eight truth values at once: one at a time takes several times as long.
    united = np.bitwise_or.reduceat(table.view(np.uint64).take(rows, axis=0), starts, axis=0)
    columns: Floats = united.view(np.bool_).T.astype(np.float32, order="C")
    return columns


def _like(words: NameWords, terms: Sequence[str]) -> list[set[int]]:
    """For each term, the words of names that equal it, start with it, or that it starts with."""
    equal = words.find_some([term for term in terms if len(term) < _LEAST_PREFIX])
    # All others have their first letters in common with a term.
    heads = list(dict.fromkeys(term[:_LEAST_PREFIX] for term in terms if len(term) >= _LEAST_PREFIX))
    near = dict(zip(heads, words.starting_with(heads), strict=True))
    return [
        {number for number in near[term[:_LEAST_PREFIX]] if _agree(words[number], term)}
        if len(term) >= _LEAST_PREFIX
        else {equal[term]}
        if term in equal
        else set()
        for term in terms
    ]


def _agree(word: str, term: str) -> bool:
    return word.startswith(term) or term.startswith(word)
