"""Callers and callees as a tree that expands step by step, and all references to a definition."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from sightline.parsed_file import Symbol
from sightline.relations.graph import Site
from sightline.relations.world import World
from sightline.search.subject import FileView, Subject
from sightline.search.symbol_rows import symbol_hit
from sightline.types import Calls, CallSite, Source, SymbolHit

Question = Literal["definition", "callers", "callees"]


class Hierarchy:
    """Answers call hierarchy requests for one memory index; includes resolved relations only."""

    def __init__(self, world: World, folder: str) -> None:
        self._world = world
        self._folder = folder

    def ask(
        self, question: Question, path: str, source: Source | None, line: int, column: int
    ) -> SymbolHit | list[Calls] | None:
        """Answer one of the three questions about the name at a position."""
        answers = {"definition": self.definition, "callers": self.callers, "callees": self.callees}
        return answers[question](path, source, line, column)

    def definition(self, path: str, source: Source | None, line: int, column: int) -> SymbolHit | None:
        """The definition that the name at a position refers to."""
        with self._world.memory.guard.reading():
            _, subject = self._at(path, source, line, column)
            return self._symbol(subject.row) if subject and subject.row is not None else None

    def callers(self, path: str, source: Source | None, line: int, column: int) -> list[Calls]:
        """The callers of the definition named at a position, each with its call sites."""
        with self._world.memory.guard.reading():
            view, subject = self._at(path, source, line, column)
            if view is None or subject is None or subject.row is None:
                return []
            sites = [site for site in view.graph.callers(subject.row) if site.confidence == "resolved"]
            by_caller: dict[tuple[int, int | None], list[Site]] = {}
            for site in sites:
                by_caller.setdefault((site.file, site.caller), []).append(site)
            return [
                Calls(self._symbol(row) if row is not None else self._file(file), self._places(calls))
                for (file, row), calls in by_caller.items()
            ]

    def callees(self, path: str, source: Source | None, line: int, column: int) -> list[Calls]:
        """The callees of the definition named at a position, each with its call sites."""
        with self._world.memory.guard.reading():
            view, subject = self._at(path, source, line, column)
            if view is None or subject is None:
                return []
            by_callee: dict[int, list[Site]] = {}
            for site in view.graph.callees(subject.file, subject.scopes):
                if site.confidence == "resolved":
                    by_callee.setdefault(site.callee, []).append(site)
            return [Calls(self._symbol(row), self._places(calls)) for row, calls in by_callee.items()]

    def _at(
        self, path: str, source: Source | None, line: int, column: int
    ) -> tuple[FileView | None, Subject | None]:
        number = self._world.number(path)
        if number is None:
            return None, None
        view = FileView(self._world, number, source)
        return view, view.named(line, column)

    def _places(self, sites: Iterable[Site]) -> tuple[CallSite, ...]:
        return tuple(
            CallSite(self._world.path(site.file), site.line, site.column, site.column + len(site.name))
            for site in sites
        )

    def _symbol(self, row: int) -> SymbolHit:
        return symbol_hit(self._world.memory, self._folder, row)

    def _file(self, file: int) -> SymbolHit:
        """The file itself, for calls outside any definition."""
        path = self._world.path(file)
        symbol = Symbol(path.rpartition("/")[2], "module", "", "", 0, 0, 0, 0, 0)
        return SymbolHit(self._folder, path, self._world.language(file), symbol, 1.0)
