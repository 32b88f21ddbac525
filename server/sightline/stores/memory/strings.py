"""Many strings in a few arrays: accessed by number, and looked up by hash."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from xxhash import xxh3_64_intdigest

from sightline.arrays import Integers
from sightline.stores.memory.snapshot import Array

# Names may come from files of any encoding.
_ERRORS = "surrogatepass"


class StringTable:
    """Strings packed into arrays; two of them may be equal."""

    def __init__(self, arrays: Mapping[str, Array] | None = None) -> None:
        arrays = pack(()) if arrays is None else arrays
        self._text = arrays["text"].data
        self._ends: Integers = arrays["ends"]
        self._hashes: NDArray[np.uint64] = arrays["hashes"]
        self._order: NDArray[np.int32] = arrays["order"]

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, number: int) -> str:
        return str(self._text[self._ends[number] : self._ends[number + 1]], "utf-8", _ERRORS)

    def __iter__(self) -> Iterator[str]:
        return iter(self.since(0))

    def since(self, first: int) -> list[str]:
        """The strings from a number on."""
        ends = self._ends[first:].tolist()
        raw = self._text
        return [str(raw[start:end], "utf-8", _ERRORS) for start, end in pairwise(ends)]

    def packed(self) -> tuple[NDArray[np.uint8], Integers]:
        """The bytes of all strings in order, and the bounds between them."""
        return np.frombuffer(self._text, np.uint8), self._ends

    def find(self, text: str) -> Iterator[int]:
        """The numbers of a string, ascending."""
        wanted = np.uint64(hash_of(text))
        at = int(self._hashes.searchsorted(wanted))
        while at < len(self._hashes) and self._hashes[at] == wanted:
            number = int(self._order[at])
            if self[number] == text:
                yield number
            at += 1

    def find_some(self, texts: Sequence[str]) -> dict[str, int]:
        """The first number of each of some strings that is in the table; quicker than one at a time."""
        if not len(self):
            return {}
        wanted = np.array([hash_of(text) for text in texts], np.uint64)
        at = self._hashes.searchsorted(wanted)
        at[at == len(self)] = 0
        likely = (self._hashes.take(at) == wanted).nonzero()[0]
        numbers = self._order.take(at.take(likely)).tolist()
        found = {}
        for each, number in zip(likely.tolist(), numbers, strict=True):
            text = texts[each]
            # The first string with this hash is nearly always the one that is wanted.
            known = number if self[number] == text else next(self.find(text), None)
            if known is not None:
                found[text] = known
        return found


def hash_of(text: str) -> int:
    """The hash by which a string is looked up."""
    return xxh3_64_intdigest(text.encode("utf-8", _ERRORS))


def pack(strings: Sequence[str]) -> dict[str, Array]:
    """The arrays of a table of these strings."""
    encoded = [text.encode("utf-8", _ERRORS) for text in strings]
    hashes = np.fromiter(map(xxh3_64_intdigest, encoded), np.uint64, len(encoded))
    order = np.argsort(hashes, kind="stable")
    ends = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=ends[1:])
    return {
        "text": np.frombuffer(b"".join(encoded), np.uint8),
        "ends": ends,
        "hashes": hashes[order],
        "order": order.astype(np.int32),
    }


def ranges(firsts: Integers | NDArray[np.int32], sizes: Integers | NDArray[np.int32]) -> Integers:
    """Every number of some ranges, one range after the other."""
    ends = sizes.cumsum()
    count = int(ends[-1]) if len(ends) else 0
    every: Integers = np.arange(count) + (firsts - ends + sizes).repeat(sizes)
    return every


def spread_ranges(firsts: Integers, lasts: Integers) -> tuple[Integers, Integers]:
    """Every number of some ranges, each with the position of its range."""
    sizes = lasts - firsts
    return np.arange(len(sizes)).repeat(sizes), ranges(firsts, sizes)


class RowsByName:
    """The rows that have a name, packed into arrays."""

    def __init__(self, arrays: Mapping[str, Array] | None = None) -> None:
        arrays = pack_rows(()) if arrays is None else arrays
        self._names = StringTable(arrays)
        self._rows: NDArray[np.int32] = arrays["rows"]
        self._starts: Integers = arrays["starts"]

    def of(self, name: str) -> list[int]:
        """The rows of a name, ascending."""
        return self.of_some((name,)).get(name, [])

    def of_some(self, names: Sequence[str]) -> dict[str, list[int]]:
        """The rows of those of some names that have any, ascending."""
        rows, starts = self._rows, self._starts
        return {
            name: rows[starts[group] : starts[group + 1]].tolist()
            for name, group in self._names.find_some(names).items()
        }


def pack_rows(names: Sequence[str], rows: Integers | None = None) -> dict[str, Array]:
    """The arrays of `RowsByName`: row `r` has the name `names[r]`, or `names[rows[r]]` if `rows` is given."""
    groups = {name: group for group, name in enumerate(dict.fromkeys(names))}
    of_row = np.fromiter(map(groups.__getitem__, names), np.int64, len(names))
    of_row = of_row if rows is None else of_row[rows]
    by_group = np.argsort(of_row, kind="stable").astype(np.int32)
    starts = np.searchsorted(of_row[by_group], np.arange(len(groups) + 1)).astype(np.int64)
    return {**pack(list(groups)), "rows": by_group, "starts": starts}


def flattened(lists: Sequence[Sequence[int]], dtype: DTypeLike) -> tuple[NDArray[Any], Integers]:
    """Lists one after the other: those of list `n` are `flat[starts[n]:starts[n + 1]]`."""
    starts = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(each) for each in lists], out=starts[1:])
    return np.fromiter(chain.from_iterable(lists), dtype, int(starts[-1])), starts
