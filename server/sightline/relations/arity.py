"""How many arguments a call passes and a function accepts, and whether the two agree."""

from __future__ import annotations

import re
from typing import NamedTuple

_ARGUMENTS = re.compile(r"(\d+)(?:\+(\d+))?(\*?)")


class Arguments(NamedTuple):
    """The arguments of a call; it is `spread` if a list passes an unknown number of others."""

    positional: int
    named: int = 0
    spread: bool = False

    def __str__(self) -> str:
        """The short form in which it is stored: `2`, `1+2`, `0*`."""
        return f"{self.positional}{f'+{self.named}' if self.named else ''}{'*' if self.spread else ''}"


class Parameters(NamedTuple):
    """The parameters of a function: how many must be passed, and how many by position and in total can be.

    None is any number. The object of a method does not count.
    """

    least: int
    positional: int | None
    total: int | None

    def __str__(self) -> str:
        """The short form in which it is stored: `2`, `1-3-3`, `1--`."""
        if self.least == self.positional == self.total:
            return str(self.least)
        return "-".join(
            "" if each is None else str(each) for each in (self.least, self.positional, self.total)
        )

    def accept(self, arguments: Arguments) -> bool:
        """Whether a call can pass these arguments."""
        passed = arguments.positional + arguments.named
        if self.positional is not None and arguments.positional > self.positional:
            return False
        if self.total is not None and passed > self.total:
            return False
        return arguments.spread or passed >= self.least


def read_arguments(text: str) -> Arguments | None:
    """The arguments of a stored call; None if they are unknown."""
    found = _ARGUMENTS.fullmatch(text)
    return Arguments(int(found[1]), int(found[2] or 0), bool(found[3])) if found else None


def read_parameters(text: str) -> Parameters:
    """Parameters from the short form in which they are stored."""
    if "-" not in text:
        return Parameters(int(text), int(text), int(text))
    least, positional, total = (int(each) if each else None for each in text.split("-"))
    return Parameters(least or 0, positional, total)
