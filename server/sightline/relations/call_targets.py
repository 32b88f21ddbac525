"""The definitions that a call refers to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sightline.relations.expressions import last_name
from sightline.relations.facts import Call
from sightline.relations.resolver import MAX_VALUES, Resolver
from sightline.relations.rules import rules_of
from sightline.relations.rules.base import reachable
from sightline.relations.scope_facts import NameUse
from sightline.relations.values import NOTHING, Named, distinct
from sightline.relations.world import World

Confidence = Literal["resolved", "likely"]
# Shorter names, such as `m` or `fd`, say nothing about a type.
_SHORTEST_NAME = 3
# A name with more definitions than this is too common to be decided by the number of arguments.
_MAX_OVERLOADED = 8


@dataclass(frozen=True, slots=True)
class CallTarget:
    """A definition that a call refers to, and with what confidence."""

    row: int
    confidence: Confidence


def call_targets(resolver: Resolver, number: int, call: Call) -> list[CallTarget]:
    """The definitions that a call in a file refers to."""
    world = resolver.world
    place, rules = NameUse(number, call.scope), rules_of(world.language(number))
    if call.receiver:
        held = resolver.evaluate(place, call.receiver)
        values = distinct([each for value in held for each in resolver.member(value, call.name)])
    else:
        # `cls()` may create an object of any class derived from this one.
        held = values = NOTHING if call.name in rules.classes else resolver.find(place, call.name)
    values = distinct([each for value in values for each in resolver.exported(value)])
    found = dict.fromkeys(_settled(world, value.row) for value in values if isinstance(value, Named))
    rows = [row for row in found if row is not None and world.kind_of(row) not in rules.uncalled]
    if len(rows) == 1 and (not rules.arity_excludes or resolver.scopes.accepts(rows[0], call)):
        return [CallTarget(rows[0], "resolved")]
    if rows:
        fitting = [row for row in rows if resolver.scopes.accepts(row, call)]
        return [CallTarget(row, "likely") for row in fitting[:MAX_VALUES]]
    if held or not call.receiver:
        return []
    return [CallTarget(row, "likely") for row in _unique_method(resolver, number, call)]


def _settled(world: World, row: int) -> int | None:
    """The definition that a declaration refers to; None if there are several candidates."""
    rules = rules_of(world.language(world.file_of(row)))
    settled = rules.settled(world, row)
    return None if settled is None else world.canonical(settled)


def _unique_method(resolver: Resolver, number: int, call: Call) -> list[int]:
    """The only method with this name in files of the same language, if it takes the arguments of the call."""
    world = resolver.world
    rules = rules_of(world.language(number))
    if call.name in rules.common or call.name.startswith("__"):
        return []
    settled = {
        row: _settled(world, row)
        for row in world.named(call.name)
        if rules_of(world.language(world.file_of(row))) is rules
    }
    if len(set(settled.values())) > (_MAX_OVERLOADED if rules.arity_decides else 1):
        return []
    # A declaration may have defaults that its definition lacks: it is enough that one of them fits.
    rows = {meant for row, meant in settled.items() if resolver.scopes.accepts(row, call)}
    if len(rows) != 1:
        return []
    (row,) = rows
    if row is None or world.kind_of(row) != "method" or not reachable(world, number, row):
        return []
    if rules.names_types and not _named_after(call.receiver, world.symbols.container(row)):
        return []
    return [row]


def _named_after(receiver: str, container: str) -> bool:
    """Whether an object is named after a type, or a part of its name: `self.transport` or `chan`."""
    name = last_name(receiver).replace("_", "").lower()
    own = container.rpartition(".")[2].replace("_", "").lower()
    return len(name) >= _SHORTEST_NAME and (name in own or own in name)
