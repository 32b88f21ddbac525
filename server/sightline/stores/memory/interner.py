"""Strings as small numbers, so that a column of names is a column of integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np

from sightline.arrays import Integers
from sightline.stores.memory import strings
from sightline.stores.memory.snapshot import Array
from sightline.stores.memory.strings import StringTable

# Mapped strings that were read are kept up to this number: a search reads the same few hundred several times.
_MOST_READ = 1 << 13


class Interner:
    """Assigns a number to each distinct string; 0 is the empty string. Mapped strings come first."""

    def __init__(self) -> None:
        self._mapped = StringTable()
        self._first = 0
        self._names = [""]
        self._codes = {"": 0}
        self._read: dict[int, str] = {}
        # The numbers of mapped strings that were looked up, None for what is not mapped.
        self._found: dict[str, int | None] = {}

    def use(self, arrays: Mapping[str, Array]) -> None:
        """Restore what `arrays` returned."""
        self._mapped, self._names, self._codes = StringTable(arrays), [], {}
        self._first, self._read, self._found = len(self._mapped), {}, {}

    @property
    def mapped(self) -> StringTable:
        """The strings that are mapped from a file; their numbers come first."""
        return self._mapped

    def code(self, name: str) -> int:
        """The number of a string; a new one if it is unknown."""
        code = self._codes.get(name)
        if code is None and self._first:
            code = self.find(name)
        if code is None:
            code = self._codes[name] = len(self)
            self._names.append(name)
        return code

    def codes(self, names: Sequence[str]) -> Integers:
        """The numbers of many strings."""
        fresh = [name for name in dict.fromkeys(names) if self.find(name) is None]
        self._codes.update(zip(fresh, count(len(self)), strict=False))
        self._names += fresh
        # The loop runs in C: this is executed for every name of a folder.
        known = {name: self.code(name) for name in set(names)} if self._first else self._codes
        return np.fromiter(map(known.__getitem__, names), np.int64, len(names))

    def find(self, name: str) -> int | None:
        """The number of a known string."""
        code = self._codes.get(name)
        if code is None and self._first:
            found = self._found
            return found[name] if name in found else self._find_mapped(name)
        return code

    def _find_mapped(self, name: str) -> int | None:
        if len(self._found) >= _MOST_READ:
            self._found = {}
        code = self._found[name] = next(self._mapped.find(name), None)
        return code

    def find_some(self, names: Sequence[str]) -> dict[str, int]:
        """The numbers of those of some strings that are known."""
        later = {name: self._codes[name] for name in names if name in self._codes}
        return {**self._mapped.find_some(names), **later} if self._first else later

    def since(self, code: int) -> Sequence[str]:
        """The strings from a number on."""
        first = self._first
        return self._names[code - first :] if code >= first else [*self._mapped.since(code), *self._names]

    def arrays(self) -> dict[str, Array]:
        """What `use` takes."""
        return strings.pack(self.since(0))

    def __getitem__(self, code: int) -> str:
        if code >= self._first:
            return self._names[code - self._first]
        name = self._read.get(code)
        if name is None:
            if len(self._read) >= _MOST_READ:
                self._read = {}
            name = self._read[int(code)] = self._mapped[code]
        return name

    def __len__(self) -> int:
        return self._first + len(self._names)
