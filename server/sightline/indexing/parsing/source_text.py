"""A file's bytes with what every step of parsing asks of them: lines, columns and decoded ranges."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, count
from operator import add
from typing import NamedTuple

# They enclose the names of imported modules and files.
QUOTES = "\"'`<>"


class Text(NamedTuple):
    """A file's bytes and where its lines start; `plain` is the text if each character is one byte."""

    source: bytes
    line_starts: Sequence[int]
    plain: str | None

    @classmethod
    def of(cls, source: bytes) -> Text:
        """Index the lines of a text; a line ends with a newline and nothing else."""
        ends = accumulate(map(len, source.split(b"\n")[:-1]))
        # Each line before an end adds its newline; accumulated in C, as this runs for every line of a folder.
        starts = [0, *map(add, ends, count(1))]
        return cls(source, starts, source.decode("ascii") if source.isascii() else None)

    def line(self, offset: int) -> int:
        """The 0-based line of a byte."""
        return bisect_right(self.line_starts, offset) - 1

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of a byte."""
        line = bisect_right(self.line_starts, offset) - 1
        return line, self.column(line, offset) if self.plain is None else offset - self.line_starts[line]

    def column(self, line: int, offset: int) -> int:
        """The number of characters before a byte in its line."""
        start = self.line_starts[line]
        return offset - start if self.plain is not None else len(self.decoded(start, offset))

    def decoded(self, start: int, end: int) -> str:
        """The text of a range of bytes."""
        # Most files are plain, and this runs for every name in them.
        if self.plain is not None:
            return self.plain[start:end]
        return self.source[start:end].decode("utf-8", "replace")
