"""The names of an index as consecutive bytes, so that many can be compared with a pattern at once."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers, Mask
from sightline.stores.memory.columns import Columns
from sightline.stores.memory.interner import Interner

Bytes = NDArray[np.uint8]

_ASCII = 128


@dataclass(frozen=True, slots=True)
class NameRun:
    """Names with consecutive codes; name `i` of the run is `text[starts[i]:ends[i]]`, in UTF-8."""

    first: int
    text: Bytes
    starts: Integers
    ends: Integers
    # The places in the text that are not ASCII.
    foreign: Integers

    def ascii(self, names: Integers) -> Mask:
        """Which of the names, given by their numbers in the run, have only ASCII characters."""
        before, through = (np.searchsorted(self.foreign, at[names]) for at in (self.starts, self.ends))
        plain: Mask = before == through
        return plain


class NameText:
    """The text of all names: that of mapped names as it is in the file, that of later ones copied."""

    def __init__(self, names: Interner) -> None:
        self._names = names
        self._lock = threading.Lock()
        self._mapped = names.mapped
        self._foreign = _foreign(self._mapped.packed()[0])
        self._text, self._ends = _no_text()

    def runs(self) -> tuple[NameRun, NameRun]:
        """The mapped names, and those added since."""
        with self._lock:
            if self._mapped is not self._names.mapped:
                self._mapped = self._names.mapped
                self._foreign = _foreign(self._mapped.packed()[0])
                self._text, self._ends = _no_text()
            self._add_new()
            text, bounds = self._mapped.packed()
            added, ends = self._text["byte"], self._ends["end"]
        mapped = NameRun(0, text, bounds[:-1], bounds[1:], self._foreign)
        return mapped, NameRun(len(mapped.ends), added, ends[:-1], ends[1:], _foreign(added))

    def _add_new(self) -> None:
        known = len(self._mapped) + self._ends.size - 1
        names = [name.encode("utf-8", "surrogatepass") for name in self._names.since(known)]
        if names:
            text = np.frombuffer(b"".join(names), np.uint8)
            ends = list(accumulate(map(len, names), initial=self._text.size))[1:]
            self._text.extend({"byte": text}, len(text))
            self._ends.extend({"end": ends}, len(ends))


def _foreign(text: Bytes) -> Integers:
    return np.flatnonzero(text >= _ASCII)


def _no_text() -> tuple[Columns, Columns]:
    text, ends = Columns({"byte": np.uint8}), Columns({"end": np.int64})
    ends.append(end=0)
    return text, ends
