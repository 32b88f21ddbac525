"""What the facts of a file say about a scope of it: the scopes and the type around it, its markers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sightline.relations.arity import Parameters, read_arguments, read_parameters
from sightline.relations.facts import Call, Facts
from sightline.relations.rules import rules_of
from sightline.relations.rules.base import Rules
from sightline.relations.values import FUNCTIONS, TYPE_KINDS, words_of
from sightline.relations.world import World

# Decorators and other marks that leave the parameters of a function as they are.
_SAME_PARAMETERS = words_of(
    "staticmethod classmethod abstractmethod abc.abstractmethod override typing.override overload "
    "typing.overload final typing.final contextmanager contextlib.contextmanager asynccontextmanager "
    "contextlib.asynccontextmanager cache functools.cache lru_cache functools.lru_cache deprecated "
    "declared static inline extern virtual"
)


@dataclass(frozen=True, slots=True)
class NameUse:
    """Where a name is used: a file and a scope of its facts."""

    file: int
    scope: int


class ScopeFacts:
    """The facts of all files; those of the unsaved text for the file being edited."""

    def __init__(self, world: World, overlay: tuple[int, Facts] | None = None) -> None:
        self._world = world
        self._overlay = overlay

    def facts(self, number: int) -> Facts:
        """The facts of a file."""
        if self._overlay and self._overlay[0] == number:
            return self._overlay[1]
        return self._world.facts(number)

    def rules(self, number: int) -> Rules:
        """The rules of a file's language."""
        return rules_of(self._world.language(number))

    def outwards(self, place: NameUse) -> Iterator[int]:
        """The scope of a place and all scopes around it, the file itself last."""
        scopes = self.facts(place.file).scopes
        at = place.scope
        while at > 0:
            yield at
            at = scopes[at].parent
        yield 0

    def enclosing_type(self, place: NameUse) -> int | None:
        """The type that encloses a scope."""
        facts, rules = self.facts(place.file), self.rules(place.file)
        for at in self.outwards(place):
            scope = facts.scopes[at]
            if scope.kind in TYPE_KINDS:
                return rules.type_row(self._world, place.file, scope.path)
            if scope.kind in FUNCTIONS and "." in scope.path and scope.parent <= 0:
                return rules.type_row(self._world, place.file, scope.path.rpartition(".")[0])
        return None

    def of_row(self, row: int) -> list[int]:
        """The scopes of a definition."""
        facts = self.facts(self._world.file_of(row))
        return facts.scope_of_path.get(self._world.path_of(row), [])

    def accepts(self, row: int, call: Call) -> bool:
        """Whether a definition, or an overload of it, takes the arguments of a call, as far as is known."""
        arguments = read_arguments(call.arguments)
        parameters = self._parameters(row)
        return arguments is None or not parameters or any(each.accept(arguments) for each in parameters)

    def _parameters(self, row: int) -> list[Parameters]:
        """The parameters of a function and its overloads; empty if a decorator may change them."""
        if self.marks(row) - _SAME_PARAMETERS:
            return []
        facts = self.facts(self._world.file_of(row))
        known = [binding for scope in self.of_row(row) for binding in facts.bindings.get((scope, "("), ())]
        return [read_parameters(binding.hint) for binding in known]

    def marks(self, row: int) -> set[str]:
        """The decorators of a definition."""
        facts = self.facts(self._world.file_of(row))
        return {
            binding.hint for scope in self.of_row(row) for binding in facts.bindings.get((scope, "#"), ())
        }
