"""Which characters each name has, so that most names need not be compared with the typed text."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import numpy as np

from sightline.arrays import Integers
from sightline.stores.memory.columns import Columns
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.snapshot import Array, Growing

# A prime below the 63 bits of a signed column, so that letters, digits and `_` get different bits.
_BITS = 61
# Names processed at a time: a few megabytes.
_AT_ONCE = 1 << 15

Letters = Integers


def letters(names: Sequence[str]) -> Letters:
    """The characters of each name as bits; two characters may share a bit, which only costs a comparison."""
    lowered = [name.lower() for name in names]
    sizes = np.fromiter(map(len, lowered), np.int64, len(lowered))
    code_points = np.frombuffer("".join(lowered).encode("utf-32-le", "surrogatepass"), np.uint32)
    # One extra element, for an empty name at the end.
    bits = np.concatenate([np.int64(1) << (code_points % _BITS).astype(np.int64), [np.int64(0)]])
    found = np.bitwise_or.reduceat(bits, np.cumsum(sizes) - sizes) if len(names) else bits[:0]
    return np.where(sizes > 0, found, 0)


class NameLetters:
    """The letters of all names of an index, by their codes; names are only ever added."""

    def __init__(self, names: Interner) -> None:
        self._names = names
        self._lock = threading.Lock()
        self._columns = Columns({"letters": np.int64})

    def use(self, arrays: Mapping[str, Array], size: int) -> None:
        """Restore what `arrays` returned, for `size` names."""
        self._columns.use(arrays, size)

    def arrays(self) -> dict[str, Growing]:
        """What `use` takes, for all names."""
        self.all()
        return self._columns.arrays()

    def all(self) -> Letters:
        """The letters of every name."""
        with self._lock:
            while self._columns.size < len(self._names):
                fresh = self._names.since(self._columns.size)[:_AT_ONCE]
                self._columns.extend({"letters": letters(fresh)}, len(fresh))
            return self._columns["letters"]
