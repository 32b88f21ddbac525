"""Strings as small numbers, so that a column of names is a column of integers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray


class Interner:
    """Hands out a number for each distinct string; 0 is the empty one."""

    def __init__(self) -> None:
        self._names: list[str] = [""]
        self._codes: dict[str, int] = {"": 0}

    def code(self, name: str) -> int:
        """The number of a string, new if it was never seen."""
        code = self._codes.get(name)
        if code is None:
            code = self._codes[name] = len(self._names)
            self._names.append(name)
        return code

    def codes(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The numbers of many strings."""
        fresh = [name for name in dict.fromkeys(names) if name not in self._codes]
        self._codes.update(zip(fresh, count(len(self._names)), strict=False))
        self._names += fresh
        # A loop in C: this runs over every name of a folder.
        return np.fromiter(map(self._codes.__getitem__, names), np.int64, len(names))

    def find(self, name: str) -> int | None:
        """The number of a string that was seen before."""
        return self._codes.get(name)

    def since(self, code: int) -> Sequence[str]:
        """The strings from a number on."""
        return self._names[code:]

    def __getitem__(self, code: int) -> str:
        return self._names[code]

    def __len__(self) -> int:
        return len(self._names)
