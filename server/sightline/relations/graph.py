"""Callers, callees, overrides and derived classes of a definition, each with its source position."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from sightline.relations.call_targets import Confidence, call_targets
from sightline.relations.facts import Call, Facts
from sightline.relations.resolver import Resolver
from sightline.relations.rules import rules_of
from sightline.relations.rules.base import Rules, shared
from sightline.relations.scope_facts import NameUse
from sightline.relations.values import FUNCTIONS, TYPE_KINDS, Named
from sightline.relations.world import World
from sightline.words import tokens

# A name that occurs in more chunks than this is too common; only the nearest files are searched.
_MAX_FILES = 300
_MAX_SITES = 200
# Calls of a name that are checked: a method named `get` may be called thousands of times.
_MAX_CALLS = 500


@dataclass(frozen=True, slots=True)
class Site:
    """A call: its position, the definition it is in, and its target; None is the file itself."""

    file: int
    caller: int | None
    callee: int
    line: int
    column: int
    name: str
    confidence: Confidence


class Graph:
    """The relations of one memory index; use it under the memory index's guard."""

    def __init__(self, world: World, overlay: tuple[int, Facts] | None = None) -> None:
        world.follow()
        self._world = world
        self._resolver = Resolver(world, overlay)

    def callees(self, number: int, scopes: Container[int]) -> list[Site]:
        """The calls in some scopes of a file, in text order."""
        facts = self._resolver.scopes.facts(number)
        calls = [call for call in facts.calls() if call.scope in scopes and call.kind != "d"]
        return [site for call in calls for site in self._sites(number, facts, call)]

    def callees_in(self, number: int, lines: Container[int]) -> list[Site]:
        """The calls in some lines of a file."""
        facts = self._resolver.scopes.facts(number)
        calls = [call for call in facts.calls() if call.line in lines and call.kind != "d"]
        return [site for call in calls for site in self._sites(number, facts, call)]

    def at(self, number: int, line: int, column: int) -> list[Site]:
        """The targets of the call at a position."""
        facts = self._resolver.scopes.facts(number)
        return [
            site
            for call in facts.calls()
            if call.line == line and call.column <= column <= call.column + len(call.name)
            for site in self._sites(number, facts, call)
        ]

    def definitions_of(self, number: int, scope: int, chain: str, name: str) -> list[int]:
        """The definitions that a name refers to in a scope, alone or as a member of the chain before it."""
        # Prose and data have definitions, but no facts and so no scopes besides the file.
        known = scope < len(self._resolver.scopes.facts(number).scopes)
        place = NameUse(number, scope if known else 0)
        if chain:
            held = self._resolver.evaluate(place, chain)
            values = tuple(each for value in held for each in self._resolver.member(value, name))
        else:
            values = self._resolver.find(place, name)
        return [self._world.canonical(value.row) for value in values if isinstance(value, Named)]

    def callers(self, row: int, stop: Callable[[], None] = lambda: None) -> list[Site]:
        """The calls of a definition, nearest files first."""
        world, row = self._world, self._world.canonical(row)
        name, found, looked = world.name_of(row), list[Site](), 0
        bare = not world.symbols.container(row)
        for number in self._mentioning(name, world.file_of(row)):
            stop()
            facts, rules = self._resolver.scopes.facts(number), rules_of(world.language(number))
            for call in _calling(facts, name):
                if call.kind == "d" or (call.receiver in rules.selves if bare else _is_bare(call, rules)):
                    continue
                looked += 1
                found += self._sites(number, facts, call, row)
            if len(found) >= _MAX_SITES or looked >= _MAX_CALLS:
                break
        return found

    def derived(self, row: int) -> list[int]:
        """The classes of the workspace that name this one as a base."""
        world, row = self._world, self._world.canonical(row)
        found: dict[int, None] = {}
        for number in self._mentioning(world.name_of(row), world.file_of(row)):
            facts = self._resolver.scopes.facts(number)
            for scope in facts.derived_from(world.name_of(row)):
                own = world.at_path(number, facts.scopes[scope].path)
                if own is None or own == row or own in found:
                    continue
                bases = self._resolver.bases(own)
                if any(isinstance(base, Named) and world.canonical(base.row) == row for base in bases):
                    found[own] = None
        return list(found)

    def overrides(self, row: int) -> list[int]:
        """For a class its derived classes, for a method what overrides it or what it overrides."""
        world = self._world
        if world.kind_of(row) in TYPE_KINDS:
            return self.derived(row)
        owner = world.at_path(world.file_of(row), world.symbols.container(row))
        if owner is None or world.kind_of(owner) not in TYPE_KINDS:
            return []
        found: dict[int, None] = {}
        for base in self._resolver.bases(owner):
            for value in self._resolver.member(base, world.name_of(row)):
                if isinstance(value, Named) and world.kind_of(value.row) in FUNCTIONS:
                    found[world.canonical(value.row)] = None
        for derived in self.derived(owner):
            own = world.row(world.file_of(derived), world.name_of(row), world.path_of(derived))
            if own is not None:
                found[own] = None
        return [each for each in found if each != row]

    def _sites(self, number: int, facts: Facts, call: Call, row: int | None = None) -> Iterator[Site]:
        """The targets of a call; with `row`, only if it is that definition."""
        for target in call_targets(self._resolver, number, call):
            if row is not None and target.row != row:
                continue
            caller = self._caller(number, facts, call)
            yield Site(number, caller, target.row, call.line, call.column, call.name, target.confidence)

    def _caller(self, number: int, facts: Facts, call: Call) -> int | None:
        """The definition that encloses a call."""
        scope = facts.scopes[call.scope]
        if not scope.path:
            return None
        # The scopes of indexed facts are the symbols of the file, in their order.
        row = self._world.symbols.of_file(number).start + call.scope - 1
        same = row in self._world.symbols.of_file(number) and self._world.path_of(row) == scope.path
        return row if same else self._world.at_path(number, scope.path)

    def _mentioning(self, name: str, own: int) -> list[int]:
        """The files of the same language that contain the name: its own first, then by distance."""
        world, memory = self._world, self._world.memory
        terms = tokens(name)
        term = memory.vocabulary.get(terms[0]) if terms else None
        slots = memory.keywords.postings(term) if term is not None else ()
        rules = rules_of(world.language(own))
        files = {int(number) for number in memory.rows["file"][slots]} if len(slots) else set()
        files = {number for number in files if rules_of(world.language(number)) is rules} | {own}
        folder = world.path(own).split("/")[:-1]
        ordered = sorted(
            files, key=lambda number: (number != own, -shared(folder, world.path(number)), number)
        )
        chosen = ordered[:_MAX_FILES]
        world.load(chosen)
        return chosen


def _is_bare(call: Call, rules: Rules) -> bool:
    """Whether a call cannot be to a member: it has no receiver, and the language requires one."""
    return not call.receiver and not rules.implicit_self


def _calling(facts: Facts, name: str) -> Iterator[Call]:
    """The calls of a name, also under its import aliases."""
    yield from facts.calls_named(name)
    for alias in {
        made.alias for made in facts.imports if made.member == name and made.alias not in ("", name)
    }:
        yield from facts.calls_named(alias)
