"""Resolves a name in a file to its definitions, through scopes, imports, types and bases."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sightline.relations.expressions import LITERAL, steps
from sightline.relations.facts import Binding, Facts, Import
from sightline.relations.rules import rules_of
from sightline.relations.rules.base import Rules
from sightline.relations.scope_facts import NameUse, ScopeFacts
from sightline.relations.values import (
    EXTERNAL,
    FUNCTIONS,
    HOLDERS,
    NOTHING,
    OUTSIDE,
    TITLED,
    TYPE_KINDS,
    VALUES,
    Elements,
    Instance,
    Module,
    Named,
    Value,
    Values,
    distinct,
)
from sightline.relations.world import World
from sightline.relations.written_types import TypeName, read_type

# Chains of types, aliases and re-exports are short; a longer one is a cycle.
_MAX_DEPTH = 60
MAX_VALUES = 4
_PROPERTIES = frozenset({"property", "cached_property", "functools.cached_property", "lazyproperty"})
_MANAGERS = frozenset(
    {"contextmanager", "contextlib.contextmanager", "asynccontextmanager", "contextlib.asynccontextmanager"}
)
# The parameter of a generic type, which can stand for any type.
_PARAMETER = re.compile(r"_?[A-Z]\d?")
_SELF_TYPES = frozenset({"Self", "self", "typing.Self", "this"})


class Resolver:
    """Resolves names for one request; results are cached as long as the memory index does not change."""

    def __init__(self, world: World, overlay: tuple[int, Facts] | None = None) -> None:
        self.world = world
        self.scopes = ScopeFacts(world, overlay)
        self._known: dict[object, Values] = {}
        self._modules: dict[tuple[int, str], Module | None] = {}
        self._depth = 0

    def exported(self, value: Value) -> Values:
        """What a called module refers to: its whole-module export."""
        if not isinstance(value, Module):
            return (value,)
        names = self._module_rules(value).wholes
        found = [each for name in names for each in self._module_member(value, name)]
        return distinct([each for value in found for each in self.exported(value)])

    def find(self, place: NameUse, name: str) -> Values:
        """The values of a name in a scope."""
        return self._remember(("find", place, name), lambda: self._find(place, name))

    def evaluate(self, place: NameUse, chain: str) -> Values:
        """The values of an expression in short form."""
        return self._remember(("value", place, chain), lambda: self._evaluate(place, chain))

    def member(self, value: Value, name: str) -> Values:
        """The values of a member of a value."""
        return self._remember(("member", value, name), lambda: self._member(value, name))

    def called(self, value: Value) -> Values:
        """The values that calling a value returns."""
        return self._remember(("called", value), lambda: self._called(value))

    def _remember(self, key: object, work: Callable[[], Values]) -> Values:
        known = self._known.get(key)
        if known is not None:
            return known
        if self._depth >= _MAX_DEPTH:
            return NOTHING
        # A recursive request for the same key gets nothing, instead of recursing forever.
        self._known[key] = NOTHING
        self._depth += 1
        try:
            found = work()[:MAX_VALUES]
        finally:
            self._depth -= 1
        self._known[key] = found
        return found

    def _find(self, place: NameUse, name: str) -> Values:
        rules = self.scopes.rules(place.file)
        if name in rules.selves | rules.classes and self._rebound(place, name):
            pass
        elif name in rules.selves:
            around = self.scopes.enclosing_type(place)
            return (Instance(around),) if around is not None else NOTHING
        elif name in rules.classes:
            around = self.scopes.enclosing_type(place)
            return (Named(around),) if around is not None else NOTHING
        if name.startswith("@"):
            around = self.scopes.enclosing_type(place)
            return self._attribute(around, name) if around is not None else NOTHING
        for scope in self.scopes.outwards(place):
            found = self._in_scope(NameUse(place.file, scope), name, direct=scope == place.scope)
            if found is not None:
                return found
        return self._outside(place, name)

    def _rebound(self, place: NameUse, name: str) -> bool:
        """Whether a scope binds the name of its object (such as `self`) to something else."""
        bindings = self.scopes.facts(place.file).bindings.get((place.scope, name), ())
        return any(each.kind != "?" for each in bindings)

    def _in_scope(self, place: NameUse, name: str, *, direct: bool) -> Values | None:
        """The values of a name in one scope; None if the scope does not bind it."""
        facts, world = self.scopes.facts(place.file), self.world
        rules = self.scopes.rules(place.file)
        scope = facts.scopes[place.scope]
        if scope.kind in TYPE_KINDS or (scope.kind in FUNCTIONS and "." in scope.path and scope.parent <= 0):
            if rules.implicit_self:
                found = self._own_member(place, name)
                if found and not self._constructs(found):
                    return found
            if scope.kind in TYPE_KINDS and not direct:
                return None
        imported = self._imported(place, name)
        if imported and imported != OUTSIDE:
            return imported
        row = world.row(place.file, name, scope.path)
        # A constant with the same name as an import holds what was imported.
        hidden = VALUES | TITLED if imported else TITLED
        if row is not None and world.kind_of(row) not in hidden:
            return (Named(row),)
        if imported is not None:
            return imported
        bindings = facts.bindings.get((place.scope, name))
        return self.bound(place, bindings) if bindings else None

    def _own_member(self, place: NameUse, name: str) -> Values:
        """A member of the enclosing type; nothing if only a base outside of the workspace could have it."""
        around = self.scopes.enclosing_type(place)
        if around is None:
            return NOTHING
        found = self.member(Instance(around), name)
        return found if found != OUTSIDE else self._attribute(around, name)

    def _constructs(self, values: Values) -> bool:
        """Whether a name is a constructor's: it then refers to the type, which has the same name."""
        first = values[0]
        return isinstance(first, Named) and self.world.kind_of(first.row) == "constructor"

    def _imported(self, place: NameUse, name: str) -> Values | None:
        rules = self.scopes.rules(place.file)
        made = self.scopes.facts(place.file).imported(place.scope, name, rules.alias)
        return None if made is None else self.follow(place.file, made) or OUTSIDE

    def follow(self, number: int, made: Import) -> Values:
        """The values that an import binds its name to."""
        rules = self.scopes.rules(number)
        whole = rules.whole(self.world, number, made.module) if not made.member else None
        if whole is not None:
            return (Named(whole),)
        text, member = rules.parts(made)
        module = self._module(number, text)
        if module is None:
            return OUTSIDE
        return self.member(module, member) if member else (module,)

    def _module(self, number: int, text: str) -> Module | None:
        """The module that an import in a file names."""
        key = (number, text)
        if key not in self._modules:
            rules = self.scopes.rules(number)
            self._modules[key] = rules.module(self.world, number, text)
        return self._modules[key]

    def _outside(self, place: NameUse, name: str) -> Values:
        """The values of a name that nothing in the file binds."""
        number, world = place.file, self.world
        rules, facts = self.scopes.rules(number), self.scopes.facts(number)
        row = rules.visible(world, number, facts.scopes[place.scope].path, name)
        if row is not None:
            return (Named(row),)
        for made in facts.imports:
            if made.member == "*" or made.alias == "." or (rules.imports_names and not made.member):
                module = self._module(number, made.module)
                found = self.member(module, name) if module and rules.exported(name) else NOTHING
                if found and found != OUTSIDE:
                    return found
        module = rules.outer_module(world, number, name)
        if module is not None:
            return (module,)
        return OUTSIDE if rules.foreign(name) else NOTHING

    def bound(self, place: NameUse, bindings: Sequence[Binding]) -> Values:
        """The values of a name from its bindings: only the declared type if there is one, else all values."""
        declared = [each for each in bindings if each.kind == ":"]
        found: list[Value] = []
        for each in declared or bindings:
            found += self._binding_values(NameUse(place.file, each.scope), each)
        return distinct(found)

    def _binding_values(self, place: NameUse, binding: Binding) -> Values:
        if binding.kind == ":":
            return self.typed(place, binding.hint)
        if binding.hint == LITERAL:
            return OUTSIDE
        if not binding.hint:
            return NOTHING
        values = self.evaluate(place, binding.hint)
        if binding.kind == "@":
            return self._elements(values)
        return values

    def _elements(self, values: Values) -> Values:
        found: list[Value] = []
        for value in values:
            if isinstance(value, Elements):
                found += value.of
            elif isinstance(value, Instance):
                for method in ("__iter__", "__aiter__", "__getitem__"):
                    made = [each for one in self.member(value, method) for each in self.called(one)]
                    found += self._elements(tuple(made)) if method != "__getitem__" else made
            elif value is EXTERNAL:
                found.append(value)
        return distinct(found)

    def typed(self, place: NameUse, text: str) -> Values:
        """The values of a declared type."""
        found: list[Value] = []
        for each in read_type(text):
            found += self._of_type(place, each)
        return distinct(found)

    def _of_type(self, place: NameUse, wanted: TypeName) -> Values:
        if not wanted.name:
            return (Elements(distinct([v for each in wanted.held for v in self._of_type(place, each)])),)
        if wanted.name in _SELF_TYPES:
            around = self.scopes.enclosing_type(place)
            return (Instance(around),) if around is not None else NOTHING
        if wanted.name in ("None", "Any", "typing.Any", "object", "any", "unknown"):
            return NOTHING
        found = self.evaluate(place, wanted.name)
        if place.scope and not any(self._is_type(value) for value in found):
            # A member may have the same name as its type.
            found = self.evaluate(NameUse(place.file, 0), wanted.name) or found
        if not found and not _PARAMETER.fullmatch(wanted.name):
            # The workspace does not define the type: its objects have no methods of the workspace.
            return OUTSIDE
        return tuple(self._instance(value) if not wanted.itself else value for value in found)

    def _is_type(self, value: Value) -> bool:
        return isinstance(value, Named) and self.world.kind_of(value.row) in TYPE_KINDS

    def _instance(self, value: Value) -> Value:
        return Instance(value.row) if isinstance(value, Named) and self._is_type(value) else EXTERNAL

    def _evaluate(self, place: NameUse, chain: str) -> Values:
        rules = self.scopes.rules(place.file)
        first, *rest = steps(chain) or ("",)
        if not first or first == "?":
            return NOTHING
        if first == LITERAL:
            return OUTSIDE
        if first in rules.parents:
            while rest and rest[0] == "()":
                rest.pop(0)
            values = self._parents(place)
        else:
            values = self.find(place, first)
            whole = rules.whole(self.world, place.file, chain) if not values and rest else None
            if whole is not None:
                return (Named(whole),)
        for step in rest:
            values = distinct([each for value in values for each in self._step(value, step)])
        return values

    def _step(self, value: Value, step: str) -> Values:
        if step == "()":
            return self.called(value)
        if step == "[]":
            return self._elements((value,))
        return tuple(each for found in self.member(value, step[1:]) for each in self._read(found))

    def _read(self, value: Value) -> Values:
        """The values of a member that is read: a property gives what its function returns."""
        if not isinstance(value, Named) or self.world.kind_of(value.row) not in FUNCTIONS:
            return (value,)
        return self.called(value) if self.scopes.marks(value.row) & _PROPERTIES else (value,)

    def _parents(self, place: NameUse) -> Values:
        around = self.scopes.enclosing_type(place)
        if around is None:
            return NOTHING
        bases = self.bases(around)
        return tuple(Instance(each.row) if isinstance(each, Named) else each for each in bases) or OUTSIDE

    def bases(self, row: int) -> Values:
        """The base classes of a class."""
        number = self.world.file_of(row)
        found: list[Value] = []
        for scope in self.scopes.of_row(row):
            for binding in self.scopes.facts(number).bindings.get((scope, "<"), ()):
                outer = NameUse(number, self.scopes.facts(number).scopes[scope].parent)
                for each in read_type(binding.hint):
                    found += self.evaluate(outer, each.name) or OUTSIDE if each.name else OUTSIDE
        return tuple(dict.fromkeys(found))

    def _member(self, value: Value, name: str) -> Values:
        if isinstance(value, Module):
            return self._module_member(value, name)
        if isinstance(value, Instance):
            return self._class_member(value.row, name)
        if isinstance(value, Named):
            return self._named_member(value.row, name)
        return OUTSIDE if value is EXTERNAL else NOTHING

    def _named_member(self, row: int, name: str) -> Values:
        kind = self.world.kind_of(row)
        if kind in TYPE_KINDS:
            return self._class_member(row, name)
        if kind in HOLDERS:
            return self._held(row, name)
        if kind in FUNCTIONS:
            return NOTHING
        # What is defined inside the value of a constant: the functions of an object in JavaScript.
        inside = self.world.row(self.world.file_of(row), name, self.world.path_of(row))
        if inside is not None:
            return (Named(inside),)
        return distinct([each for value in self._content(row) for each in self.member(value, name)])

    def _held(self, row: int, name: str) -> Values:
        """A member of a namespace, in its block or in the file that it names."""
        world, rules = self.world, self.scopes.rules(self.world.file_of(row))
        found = rules.member(world, row, name)
        if found is not None:
            return (Named(found),)
        outer = Module((world.file_of(row),), None, world.symbols.container(row))
        inner = rules.submodule(world, outer, world.name_of(row))
        return self.member(inner, name) if inner is not None else NOTHING

    def _content(self, row: int) -> Values:
        """The values of a constant or a field."""
        world = self.world
        number, container = world.file_of(row), world.symbols.container(row)
        facts, name = self.scopes.facts(number), world.name_of(row)
        bindings = [
            binding
            for scope in facts.scope_of_path.get(container, [])
            for binding in facts.bindings.get((scope, name), ())
        ]
        return self.bound(NameUse(number, 0), bindings) if bindings else NOTHING

    def _class_member(self, row: int, name: str) -> Values:
        world, rules = self.world, self.scopes.rules(self.world.file_of(row))
        found = rules.member(world, row, name)
        attributes = self._attribute(row, name)
        if found is not None and (world.kind_of(found) in FUNCTIONS | TYPE_KINDS or not attributes):
            return (Named(found),)
        if attributes or self._assigns(row, name):
            return attributes
        if name in rules.makers:
            return (Named(row),)
        if name in rules.transparent:
            return (Instance(row),)
        inherited: list[Value] = []
        for base in self.bases(row):
            inherited += OUTSIDE if base is EXTERNAL else self.member(base, name)
            if inherited and inherited[-1] is not EXTERNAL:
                break
        return distinct(inherited)

    def _assigns(self, row: int, name: str) -> bool:
        """Whether methods of a class assign a member of the object, so that it is not inherited."""
        attributes = self.scopes.facts(self.world.file_of(row)).attributes
        return any((scope, name) in attributes for scope in self.scopes.of_row(row))

    def _attribute(self, row: int, name: str) -> Values:
        """What methods of a class assign to a member of the object, else what the class declares for it."""
        number = self.world.file_of(row)
        facts, scopes = self.scopes.facts(number), self.scopes.of_row(row)
        for known in (facts.attributes, facts.bindings):
            bindings = [binding for scope in scopes for binding in known.get((scope, name), ())]
            if bindings:
                return self.bound(NameUse(number, 0), bindings)
        return NOTHING

    def _module_member(self, module: Module, name: str) -> Values:
        rules = self._module_rules(module)
        row = rules.module_row(self.world, module, name)
        if row is not None:
            return (Named(row),)
        for number in module.files if rules.reexports and not module.inside else ():
            found = self._in_scope(NameUse(number, 0), name, direct=True)
            if found is not None and found != OUTSIDE:
                return found
        held = NOTHING if name in rules.wholes else self.exported(module)
        found = distinct([each for value in held for each in self.member(value, name)])
        if found and found != OUTSIDE:
            return found
        inner = rules.submodule(self.world, module, name)
        if inner is not None:
            return (inner,)
        for number in module.files if rules.reexports and not module.inside else ():
            found = self._outside(NameUse(number, 0), name)
            if found:
                return found
        return NOTHING

    def _module_rules(self, module: Module) -> Rules:
        if module.files:
            return self.scopes.rules(module.files[0])
        return rules_of("python" if module.folder is not None else module.language)

    def _called(self, value: Value) -> Values:
        if isinstance(value, Instance):
            return tuple(
                each for made in self.member(value, "__call__") if made != value for each in self.called(made)
            )
        if isinstance(value, Module):
            return distinct([each for made in self.exported(value) for each in self.called(made)])
        if not isinstance(value, Named):
            return OUTSIDE if value is EXTERNAL else NOTHING
        kind = self.world.kind_of(value.row)
        if kind in TYPE_KINDS:
            return (Instance(value.row),)
        if kind in FUNCTIONS:
            return self._returned(value.row)
        return distinct([each for held in self._content(value.row) for each in self.called(held)])

    def _returned(self, row: int) -> Values:
        number = self.world.file_of(row)
        facts = self.scopes.facts(number)
        found: list[Value] = []
        for scope in self.scopes.of_row(row):
            place = NameUse(number, scope)
            declared = facts.bindings.get((scope, ">"), ())
            for binding in declared:
                found += self.typed(place, binding.hint)
            for binding in () if declared else facts.bindings.get((scope, "^"), ()):
                found += self.evaluate(place, binding.hint)
        values = distinct(found)
        return self._elements(values) if self.scopes.marks(row) & _MANAGERS else values
