"""The default rules (imports by path, names by file), which other languages override."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from sightline import file_roles
from sightline.relations.facts import Import
from sightline.relations.values import FUNCTIONS, HOLDERS, TYPE_KINDS, Module, words_of
from sightline.relations.world import World

_SEPARATORS = re.compile(r"::|[./\\:]+")
_TEST = file_roles.bit("test")
# The kinds of definitions that a name not bound in its own file can refer to.
NAMED_KINDS = FUNCTIONS | TYPE_KINDS | HOLDERS


class Rules:
    """How a language resolves names; this class is the default for languages without their own rules."""

    # The names of the current object, its class and its base.
    selves: frozenset[str] = words_of("self this Me")
    classes: frozenset[str] = words_of("Self static")
    parents: frozenset[str] = words_of("super base parent")
    # Whether members can be used without naming the object.
    implicit_self = True
    # Whether an import without a member makes all names of the file visible.
    imports_names = True
    # Whether names that a module imports are members of it.
    reexports = False
    # Kinds of definitions that a call never refers to.
    uncalled: frozenset[str] = HOLDERS | {"field", "property"}
    # Members of a type that create an object of it.
    makers: frozenset[str] = frozenset()
    # Names under which a module exports a single value for the whole module.
    wholes: tuple[str, ...] = ()
    builtins: frozenset[str] = frozenset()
    # Methods of the language's own types: their name alone does not identify a definition.
    common: frozenset[str] = frozenset()
    # Whether an object without a known type must be named after the type that it is taken for.
    names_types = False
    # Whether the number of arguments may choose among the methods of a name on an unknown object.
    arity_decides = False
    # Whether a call cannot refer to what does not take its arguments, even if nothing else has the name.
    arity_excludes = False
    # Methods that return the object itself, or what it wraps.
    transparent: frozenset[str] = frozenset()

    def module(self, world: World, number: int, text: str) -> Module | None:
        """The file that an import names: beside the importing file, else one whose path ends in the name."""
        folder = posixpath.dirname(world.path(number))
        extension = posixpath.splitext(world.path(number))[1]
        relative = posixpath.normpath(posixpath.join(folder, text))
        for path in (relative, relative + extension):
            found = world.number(path)
            if found is not None:
                return Module((found,))
        parts = [part for part in _SEPARATORS.split(text.removesuffix(extension)) if part]
        return self._by_suffix(world, number, parts, extension) if parts else None

    def _by_suffix(self, world: World, number: int, parts: list[str], extension: str) -> Module | None:
        wanted = "/".join(parts) + extension
        found = [each for each in world.with_stem(parts[-1]) if f"/{world.path(each)}".endswith(f"/{wanted}")]
        return Module((nearest(world, number, found),)) if found else None

    def alias(self, made: Import) -> str:
        """The name that an import binds; empty if it binds none."""
        return made.alias or made.member or _SEPARATORS.split(made.module)[-1]

    def parts(self, made: Import) -> tuple[str, str]:
        """The module that an import names, and its member; an empty member means the module itself."""
        return made.module, made.member

    def whole(self, world: World, number: int, text: str) -> int | None:
        """The definition whose full name is this dotted name."""
        return None

    def visible(self, world: World, number: int, around: str, name: str) -> int | None:
        """The definition of a name in the scope `around` that neither its file nor an import binds."""
        return None

    def member(self, world: World, row: int, name: str) -> int | None:
        """A member that is defined in a type or a namespace."""
        return world.row(world.file_of(row), name, world.path_of(row))

    def module_row(self, world: World, module: Module, name: str) -> int | None:
        """A top-level definition of a module."""
        for number in module.files:
            found = world.row(number, name, module.inside)
            if found is not None:
                return found
        return None

    def outer_module(self, world: World, number: int, name: str) -> Module | None:
        """A module that is visible everywhere by its name."""
        return None

    def submodule(self, world: World, module: Module, name: str) -> Module | None:
        """A part of a module that is a separate file or folder."""
        return None

    def type_row(self, world: World, number: int, path: str) -> int | None:
        """The type at a path of a file."""
        return world.at_path(number, path)

    def settled(self, world: World, row: int) -> int | None:
        """The definition that a declaration refers to; None if there are several candidates."""
        return row

    def foreign(self, name: str) -> bool:
        """Whether a name that nothing in the workspace binds is known to be of the language or a library."""
        return name in self.builtins

    def exported(self, name: str) -> bool:
        """Whether a star import includes a name."""
        return True


def nearest(world: World, number: int, candidates: Sequence[int]) -> int:
    """The candidate that shares the most folders with the path of a file, then the shortest."""
    own = world.path(number)

    def order(candidate: int) -> tuple[int, int, str]:
        path = world.path(candidate)
        return -len(posixpath.commonprefix([own, path])), len(path), path

    return min(candidates, key=order)


def only(world: World, number: int, rows: Iterable[int]) -> int | None:
    """The definition nearest to a file; None if several are equally near."""
    folder = world.path(number).split("/")[:-1]
    best: list[int] = []
    depth = -1
    for row in {world.canonical(row) for row in rows}:
        if not reachable(world, number, row):
            continue
        near = shared(folder, world.path(world.file_of(row)))
        if near > depth:
            best, depth = [row], near
        elif near == depth:
            best.append(row)
    return best[0] if len(best) == 1 else None


def reachable(world: World, number: int, row: int) -> bool:
    """Whether code in a file can refer to a definition: what is no test does not call tests."""
    if not file_roles.roles(world.path(world.file_of(row))) & _TEST:
        return True
    return bool(file_roles.roles(world.path(number)) & _TEST)


def shared(folder: Sequence[str], path: str) -> int:
    """How many folders two places have in common."""
    count = 0
    for own, other in zip(folder, path.split("/")[:-1], strict=False):
        if own != other:
            break
        count += 1
    return count
