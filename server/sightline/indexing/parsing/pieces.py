"""Cuts a file at its definitions, and inside them at statements."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from sightline.indexing.parsing.captures import Definition
from sightline.indexing.parsing.line_cuts import next_cut

if TYPE_CHECKING:
    from tree_sitter import Node

TARGET_BYTES = 1000
# A function that is slightly too long is easier to read whole.
MAX_BYTES = 1500
_NEWLINE = 10
# What `strip` removes.
_BLANK = b" \t\n\r\v\f"
_EMPTY_LINES = re.compile(rb"(?:[^\S\n]*\n)*")
_FUNCTION_KINDS = frozenset({"function", "method", "constructor", "macro", "test"})
# How deep below a definition to search for statements; deeper nesting is cut at lines.
_MAX_STATEMENT_DEPTH = 40
_MAX_STATEMENT_NODES = 20000
# What is further from the start of its line counts as mid-line, whatever is before it.
_MAX_INDENT = 200


@dataclass(slots=True)
class Piece:
    """A range of bytes directly inside `parent`: all of the definition `whole`, or the head of its parent."""

    start: int
    end: int
    parent: int
    whole: int = -1
    opens: bool = False


class Cutter:
    """Cuts one file; holds the state that every step needs."""

    def __init__(self, source: bytes, definitions: list[Definition], root: Node | None) -> None:
        self.source = source
        self.definitions = definitions
        self.root = root
        self.pieces: list[Piece] = []
        self.children: dict[int, list[int]] = {}
        for index, definition in enumerate(definitions):
            self.children.setdefault(definition.parent, []).append(index)
        self.statements: dict[int, list[tuple[int, int]]] = {}

    def cut(self) -> list[Piece]:
        """Pieces that cover the file in order, none much longer than a chunk."""
        self._region(0, len(self.source), -1)
        return self.pieces

    def _region(self, start: int, end: int, parent: int) -> None:
        """Cut the inside of a definition, or of the file, at the definitions directly in it."""
        at = start
        children = [self.definitions[child] for child in self.children.get(parent, ())]
        limits = [*(definition.start for definition in children[1:]), end]
        for index, definition, limit in zip(self.children.get(parent, ()), children, limits, strict=False):
            first = max(at, self._line_start(definition.start))
            if definition.end <= first:
                continue
            last = max(definition.end, self._line_end(definition.end, min(end, limit)))
            self._add_text_between(at, first, parent)
            self._definition(first, last, index, parent)
            at = last
        self._add_text_between(at, end, parent)

    def _definition(self, start: int, end: int, index: int, parent: int) -> None:
        definition = self.definitions[index]
        splits = index in self.children and definition.kind not in _FUNCTION_KINDS
        if end - start <= (TARGET_BYTES if splits else MAX_BYTES):
            self.pieces.append(Piece(start, end, parent, index))
        else:
            self._region(start, end, index)

    def _add_text_between(self, start: int, end: int, parent: int) -> None:
        """Add text between definitions, cut at statements if it is long."""
        if start >= end:
            return
        if self.pieces and not self.source[start:end].strip():
            self.pieces[-1].end = end
            return
        cuts = self._cuts(start, end, parent) if end - start > MAX_BYTES else []
        for at, cut in pairwise((start, *cuts, end)):
            self.pieces.append(Piece(at, cut, parent, opens=parent >= 0 and self._names(parent, at, cut)))

    def _names(self, index: int, start: int, end: int) -> bool:
        return start <= self.definitions[index].name_start < end

    def _cuts(self, start: int, end: int, parent: int) -> list[int]:
        statements = self._statements(parent)
        cuts: list[int] = []
        while end - start > MAX_BYTES:
            low = bisect_right(statements, (start + TARGET_BYTES // 4, _MAX_STATEMENT_DEPTH))
            window = statements[low : bisect_right(statements, (start + TARGET_BYTES, _MAX_STATEMENT_DEPTH))]
            # The last of the outermost statements in range.
            best = min(window, key=lambda each: (each[1], -each[0]), default=None)
            start = best[0] if best else next_cut(self.source, start, start + TARGET_BYTES)
            cuts.append(start)
        return cuts

    def _statements(self, parent: int) -> list[tuple[int, int]]:
        """Line starts where a statement of a definition starts, with the depth of the statement."""
        known = self.statements.get(parent)
        if known is None:
            node = self.root if parent < 0 else self.definitions[parent].node
            known = self.statements[parent] = [] if node is None else self._line_starts(node)
        return known

    def _line_starts(self, node: Node) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        source = self.source
        pending = [(node, 0)]
        visited = 0
        while pending and visited < _MAX_STATEMENT_NODES:
            outer, depth = pending.pop()
            visited += outer.child_count
            for child in outer.children[:_MAX_STATEMENT_NODES]:
                start, end = child.byte_range
                # Most nodes come directly after another one, and are not the first of their line.
                if start == 0 or source[start - 1] in _BLANK:
                    line = self._line_start(start)
                    if line == 0 or source[line - 1] == _NEWLINE:
                        found.append((line, depth))
                if end - start > TARGET_BYTES // 2 and depth < _MAX_STATEMENT_DEPTH:
                    pending.append((child, depth + 1))
        return sorted(found)

    def _line_start(self, offset: int) -> int:
        """The start of the line if only white space precedes the offset, else the offset."""
        line = self.source.rfind(b"\n", max(0, offset - _MAX_INDENT), offset) + 1
        if (line == 0 and offset > _MAX_INDENT) or self.source[line:offset].strip():
            return offset
        return line

    def _line_end(self, offset: int, limit: int) -> int:
        """Past the end of the line and the empty lines after it, but never past the limit."""
        newline = self.source.find(b"\n", offset, limit)
        empty = _EMPTY_LINES.match(self.source, newline + 1, limit) if newline >= 0 else None
        return empty.end() if empty else limit
