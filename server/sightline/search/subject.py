"""Finds the definition a position refers to: the one named there, else the one around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sightline.indexing.parsing.parse_file import parse_text
from sightline.languages.table import LANGUAGES
from sightline.parsed_file import ParsedFile
from sightline.relations.expressions import shorten
from sightline.relations.facts import Facts
from sightline.relations.graph import Graph
from sightline.relations.world import World
from sightline.types import Source

_IDENTIFIER = re.compile(r"[^\W\d][\w$]*", re.UNICODE)
# The expression before a member's name: `self.store`, `open(path).read`, `a[0]->b`.
_BEFORE = re.compile(r"((?:[\w$@.:>?!-]|\([^()]*\)|\[[^\[\]]*\])+)(?:\.|->|::|\?\.)\Z", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Subject:
    """A definition whose relations are requested; `row` is None for one that is not indexed yet."""

    file: int
    row: int | None
    scopes: frozenset[int]
    named_elsewhere: bool = False


class FileView:
    """A file as the user sees it, with its current relations; created per request."""

    def __init__(self, world: World, number: int, source: Source | None) -> None:
        self._world = world
        self._number = number
        self._lines = source.lines if source else []
        changed = _changed(world, number, source) if source else None
        # The definitions of a text that differs from the indexed one.
        self._symbols = changed.symbols if changed else None
        self._facts = Facts(changed.facts) if changed else world.facts(number)
        self.graph = Graph(world, (number, self._facts) if changed else None)

    def subject(self, line: int, column: int) -> Subject | None:
        """The definition a position refers to."""
        named = self.named(line, column)
        if named is not None:
            return named
        ordinal = self._context(line)
        return None if ordinal is None else self._of_ordinal(ordinal)

    def named(self, line: int, column: int) -> Subject | None:
        """The definition that the name at a position refers to, if it can be resolved."""
        word = word_at(self._lines, line, column)
        if not word:
            return None
        text, start = word
        here = self._defined_at(line, start, text)
        if here is not None:
            return self._of_ordinal(here)
        sites = self.graph.at(self._number, line, start)
        rows = [site.callee for site in sites if site.confidence == "resolved"]
        if not sites:
            before = _BEFORE.search(self._lines[line], 0, start)
            ordinal = self._context(line)
            scope = 0 if ordinal is None else ordinal + 1
            chain = shorten(before.group(1)) if before else ""
            rows = [] if before and not chain else self.graph.definitions_of(self._number, scope, chain, text)
        return self._of_row(rows[0]) if len(rows) == 1 else None

    def _of_row(self, row: int) -> Subject:
        world = self._world
        file = world.file_of(row)
        ordinal = row - world.symbols.of_file(file).start
        scopes = self._below(world.facts(file), ordinal + 1)
        return Subject(file, row, scopes, named_elsewhere=True)

    def _of_ordinal(self, ordinal: int) -> Subject:
        rows = self._world.symbols.of_file(self._number)
        row: int | None = rows.start + ordinal
        if self._symbols is not None:
            symbol = self._symbols[ordinal]
            row = self._world.row(self._number, symbol.name, symbol.container)
        return Subject(self._number, row, self._below(self._facts, ordinal + 1))

    def _below(self, facts: Facts, scope: int) -> frozenset[int]:
        """A scope and all scopes inside it."""
        found = {scope}
        for number, each in enumerate(facts.scopes):
            if each.parent in found:
                found.add(number)
        return frozenset(found)

    def _defined_at(self, line: int, column: int, word: str) -> int | None:
        """The definition that is named here; its name may have signs around the word, as `~Store` has."""
        for ordinal, (_, _, name_line, name_column) in enumerate(self._places()):
            if name_line == line and name_column <= column:
                within = column - name_column
                if self._name(ordinal)[within : within + len(word)] == word:
                    return ordinal
        return None

    def _context(self, line: int) -> int | None:
        """The smallest definition that contains a line."""
        around = [
            (end - start, ordinal)
            for ordinal, (start, end, _, _) in enumerate(self._places())
            if start <= line <= end
        ]
        return min(around)[1] if around else None

    def _places(self) -> list[tuple[int, int, int, int]]:
        """For each definition: its first and last line, and the line and column of its name."""
        if self._symbols is not None:
            return [(s.start_line, s.end_line, s.name_line, s.name_column) for s in self._symbols]
        rows, columns = self._world.symbols.of_file(self._number), self._world.symbols.columns
        parts = (
            columns[name][rows.start : rows.stop].tolist()
            for name in ("start_line", "end_line", "name_line", "name_column")
        )
        return list(zip(*parts, strict=True))

    def _name(self, ordinal: int) -> str:
        if self._symbols is not None:
            return self._symbols[ordinal].name
        return self._world.name_of(self._world.symbols.of_file(self._number).start + ordinal)


def _changed(world: World, number: int, source: Source) -> ParsedFile | None:
    """The text of a file, parsed, if it differs from the indexed one."""
    state = world.memory.catalog.file(world.path(number))
    if state is None or state.digest == source.digest:
        return None
    return parse_text(source.text, LANGUAGES[world.language(number)])


def word_at(lines: list[str], line: int, column: int) -> tuple[str, int] | None:
    """The identifier at a position and where it starts."""
    if not 0 <= line < len(lines):
        return None
    for found in _IDENTIFIER.finditer(lines[line]):
        if found.start() <= column <= found.end():
            return found.group(), found.start()
    return None
