"""Strings as small numbers, so that a column of names is a column of integers."""

from __future__ import annotations


class Names:
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

    def find(self, name: str) -> int | None:
        """The number of a string that was seen before."""
        return self._codes.get(name)

    def __getitem__(self, code: int) -> str:
        return self._names[code]

    def __len__(self) -> int:
        return len(self._names)
