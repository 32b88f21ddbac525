"""Reads the cells of a Jupyter notebook, and the position of each of their lines in the file's JSON."""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from json import JSONDecoder
from typing import Any, Literal, NamedTuple

CellKind = Literal["code", "markdown", "raw"]

_SPACE = re.compile(r"[ \t\n\r]*")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
# One character of a decoded string as written in JSON; a surrogate pair is one character.
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)
_KINDS: Mapping[object, CellKind] = {"code": "code", "raw": "raw"}


class SourceLine(NamedTuple):
    """A line of a cell, its line in the file, and the offset in the file where it starts."""

    text: str
    line: int
    at: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell; `language` is the language that the cell itself declares."""

    index: int
    kind: CellKind
    lines: tuple[SourceLine, ...]
    language: str = ""

    @property
    def text(self) -> str:
        """The text that the user sees in the cell."""
        return "\n".join(line.text for line in self.lines)


class Notebook(NamedTuple):
    """The cells of a notebook and the language of its kernel."""

    cells: tuple[Cell, ...]
    language: str
    line_starts: tuple[int, ...]

    def readable_lines(self) -> list[str]:
        """The lines of the file, with cell text on the lines that contain it and all other lines empty."""
        lines: list[list[str]] = [[] for _ in self.line_starts]
        for cell in self.cells:
            for line in cell.lines:
                lines[line.line].append(line.text)
        return [" ".join(parts) for parts in lines]

    def file_column(self, text: str, line: int, column: int) -> int:
        """The column in the file for a column of a readable line."""
        for _, source in self._on(line):
            if column <= len(source.text):
                return self.column_of(text, source, column)
            column -= len(source.text) + 1
        return 0

    def column_of(self, text: str, source: SourceLine, column: int) -> int:
        """The column in the file for a column of a cell's line."""
        return _written_end(text, source.at, column) - self.line_starts[source.line]

    def cell_at(self, line: int, column: int) -> int | None:
        """The cell at a position in the file; None if there is none."""
        before = [cell for cell, source in self._on(line) if source.at <= self.line_starts[line] + column]
        first = next((cell for cell, _ in self._on(line)), None)
        return before[-1].index if before else (first.index if first else None)

    def _on(self, line: int) -> Iterator[tuple[Cell, SourceLine]]:
        for cell in self.cells:
            if cell.lines and cell.lines[0].line <= line <= cell.lines[-1].line:
                yield from ((cell, source) for source in cell.lines if source.line == line)


_MOST_KEPT = 16
_KEPT: OrderedDict[tuple[int, int], Notebook | None] = OrderedDict()
_LOCK = threading.Lock()


def read_notebook(text: str) -> Notebook | None:
    """A notebook of format 3 or 4, None if the text is not one; the last ones are cached without outputs."""
    # A cache keyed by the text itself would keep megabytes of images.
    key = len(text), hash(text)
    with _LOCK:
        if key in _KEPT:
            _KEPT.move_to_end(key)
            return _KEPT[key]
    notebook = _read(text)
    with _LOCK:
        _KEPT[key] = notebook
        if len(_KEPT) > _MOST_KEPT:
            _KEPT.popitem(last=False)
    return notebook


def _read(text: str) -> Notebook | None:
    try:
        reader = _Reader(text)
        reader.top()
    except (ValueError, IndexError, RecursionError):
        return None
    return Notebook(tuple(reader.cells), reader.language, reader.line_starts) if reader.is_notebook else None


@dataclass(slots=True)
class _Parts:
    """What has been read of one cell; strings are keyed by their offsets."""

    kind: object = "code"
    strings: list[tuple[int, int, str]] = field(default_factory=list)
    language: object = ""


class _Reader:
    """Parses the JSON in one pass; the standard decoder skips everything that is not the source of a cell."""

    def __init__(self, text: str) -> None:
        self.cells: list[Cell] = []
        self.language = ""
        self.is_notebook = False
        self._text = text
        self._decode: Callable[[str, int], tuple[Any, int]] = JSONDecoder().raw_decode
        lengths = (len(line) + 1 for line in text.split("\n"))
        self.line_starts = (0, *accumulate(lengths))[:-1]

    def top(self) -> None:
        """Read the whole notebook."""
        end = self._object(
            self._skip(0), {"cells": self._cells, "worksheets": self._worksheets, "metadata": self._metadata}
        )
        if self._skip(end) != len(self._text):
            raise ValueError("text behind the notebook")

    def _worksheets(self, at: int) -> int:
        return self._array(at, lambda sheet: self._object(sheet, {"cells": self._cells}))

    def _cells(self, at: int) -> int:
        self.is_notebook = True
        return self._array(at, self._cell)

    def _cell(self, at: int) -> int:
        parts = _Parts()

        def take(name: str) -> Callable[[int], int]:
            def visit(at: int) -> int:
                value, end = self._decode(self._text, at)
                setattr(parts, name, value)
                return end

            return visit

        def source(at: int) -> int:
            return self._strings(at, parts.strings)

        visits = {"cell_type": take("kind"), "language": take("language"), "source": source, "input": source}
        end = self._object(at, visits)
        kind = _KINDS.get(parts.kind, "markdown") if isinstance(parts.kind, str) else "raw"
        language = parts.language if isinstance(parts.language, str) else ""
        self.cells.append(Cell(len(self.cells), kind, tuple(self._lines(parts.strings)), language))
        return end

    def _metadata(self, at: int) -> int:
        value, end = self._decode(self._text, at)
        for section, name in (("language_info", "name"), ("kernelspec", "language")):
            found = value.get(section) if isinstance(value, dict) else None
            declared = found.get(name) if isinstance(found, dict) else None
            self.language = self.language or (declared if isinstance(declared, str) else "")
        return end

    def _strings(self, at: int, found: list[tuple[int, int, str]]) -> int:
        if self._text[at] == "[":
            return self._array(at, lambda inner: self._string(inner, found))
        return self._string(at, found)

    def _string(self, at: int, found: list[tuple[int, int, str]]) -> int:
        if self._text[at] != '"':
            raise ValueError("a source is no string")
        value, end = self._decode(self._text, at)
        found.append((at + 1, end, value))
        return end

    def _lines(self, strings: list[tuple[int, int, str]]) -> Iterator[SourceLine]:
        """The lines of consecutive strings; a string may end inside a line."""
        text, at = "", -1
        for start, end, value in strings:
            begins = [start, *self._line_begins(start, end, value)]
            for begin, part in zip(begins, value.split("\n"), strict=True):
                if begin != start:
                    yield self._line(text, at)
                    text = ""
                at = at if text else begin
                text += part
        if text:
            yield self._line(text, at)

    def _line_begins(self, start: int, end: int, value: str) -> list[int]:
        if "\n" not in value:
            return []
        escapes = _ESCAPE.finditer(self._text, start, end)
        return [each.end() for each in escapes if each[1] in ("n", "u000a", "u000A")]

    def _line(self, text: str, at: int) -> SourceLine:
        return SourceLine(text.removesuffix("\r"), bisect_right(self.line_starts, at) - 1, at)

    def _object(self, at: int, visits: Mapping[str, Callable[[int], int]]) -> int:
        """Read an object: requested members with their visitors, the others with the decoder."""
        at = self._open(at, "{")
        while self._text[at] != "}":
            if self._text[at] != '"':
                raise ValueError("a member without a name")
            name, at = self._decode(self._text, at)
            at = self._open(self._skip(at), ":")
            visit = visits.get(name)
            at = visit(at) if visit else self._decode(self._text, at)[1]
            at = self._next(at, "}")
        return at + 1

    def _array(self, at: int, visit: Callable[[int], int]) -> int:
        at = self._open(at, "[")
        while self._text[at] != "]":
            at = self._next(visit(at), "]")
        return at + 1

    def _open(self, at: int, sign: str) -> int:
        if self._text[at] != sign:
            raise ValueError(f"no {sign}")
        return self._skip(at + 1)

    def _next(self, at: int, closing: str) -> int:
        """The offset of the next member or of the closing bracket."""
        at = self._skip(at)
        if self._text[at] == ",":
            return self._skip(at + 1)
        if self._text[at] != closing:
            raise ValueError("no comma")
        return at

    def _skip(self, at: int) -> int:
        space = _SPACE.match(self._text, at)
        return space.end() if space else at


def _written_end(text: str, at: int, count: int) -> int:
    """The offset after N characters of a string that starts at an offset."""
    for _ in range(count):
        character = _CHARACTER.match(text, at)
        at = character.end() if character else at
    return at
