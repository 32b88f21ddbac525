"""Converts columns between code points, which Sightline uses, and the units negotiated with the client."""

from __future__ import annotations

import re
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

# The protocol has only these three line ends; str.splitlines would also split at form feeds and U+2028.
_LINE_END = re.compile(r"\r\n|\n|\r")


def units(text: str, encoding: Encoding) -> int:
    """The number of the client's code units in a text."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(char > "\uffff" for char in text)


def to_client(line: str, column: int, encoding: Encoding) -> int:
    """The client's column for a code-point column, at most the end of the line."""
    return units(line[:column], encoding)


def from_client(line: str, character: int, encoding: Encoding) -> int:
    """The code-point column for a client's column; one inside a character moves to its start."""
    if encoding == "utf-32" or line.isascii():
        return min(character, len(line))
    passed = 0
    for column, char in enumerate(line):
        passed += units(char, encoding)
        if passed > character:
            return column
    return len(line)


class LineTable:
    """Where the lines of one text start and end."""

    __slots__ = ("_ends", "_starts", "_text")

    def __init__(self, text: str) -> None:
        """Find every line end once."""
        self._text = text
        self._starts = [0]
        self._ends: list[int] = []
        for match in _LINE_END.finditer(text):
            self._ends.append(match.start())
            self._starts.append(match.end())
        self._ends.append(len(text))

    def __len__(self) -> int:
        """The number of lines; an empty text has one."""
        return len(self._starts)

    def line(self, number: int) -> str:
        """One line without its end, empty when there is no such line."""
        if not 0 <= number < len(self._starts):
            return ""
        return self._text[self._starts[number] : self._ends[number]]

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """The offset in the text of a client's position; clamped to the text."""
        if line >= len(self._starts):
            return len(self._text)
        return self._starts[line] + from_client(self.line(line), character, encoding)
