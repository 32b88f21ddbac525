"""Languages whose types are visible in the whole project, or whose modules are named after their files."""

from __future__ import annotations

from sightline.relations.facts import Import
from sightline.relations.rules.base import NAMED_KINDS, Rules, only
from sightline.relations.values import FUNCTIONS, HOLDERS, TYPE_KINDS, Module, words_of
from sightline.relations.world import World


class ProjectRules(Rules):
    """Ruby, Swift, Dart and similar languages: top-level definitions are visible everywhere."""

    imports_names = False
    makers = frozenset({"new"})
    common = words_of(
        "new get set add remove push pop map each select filter reduce find first last count size "
        "length empty append insert delete include contains join split replace to_s to_a to_h to_i "
        "call run start stop open close read write send format print puts freeze dup merge keys "
        "values sort reverse index update save create destroy where order limit init description "
        "forEach compactMap flatMap sorted"
    )

    def __init__(self, *languages: str, functions: bool) -> None:
        self._languages = frozenset(languages)
        self._kinds = TYPE_KINDS | HOLDERS | (FUNCTIONS if functions else frozenset())

    def visible(self, world: World, number: int, around: str, name: str) -> int | None:
        """The only top-level definition of the name, or one in an enclosing namespace."""
        spaces = {"", around.partition(".")[0]}
        rows = [
            row
            for row in world.named(name)
            if world.language(world.file_of(row)) in self._languages
            and world.kind_of(row) in self._kinds
            and world.symbols.container(row) in spaces
        ]
        return only(world, number, rows) if rows else None

    def member(self, world: World, row: int, name: str) -> int | None:
        """A member of the type, also where the type is reopened in another file."""
        found = super().member(world, row, name)
        if found is not None or world.kind_of(row) not in TYPE_KINDS | HOLDERS:
            return found
        path = world.path_of(row)
        rows = [
            each
            for each in world.named(name)
            if world.language(world.file_of(each)) in self._languages
            and world.symbols.container(each) == path
        ]
        return only(world, world.file_of(row), rows) if rows else None


class ElixirRules(Rules):
    """Elixir: a module is known by its full dotted name, and `alias` shortens it."""

    selves = frozenset()
    classes = frozenset({"__MODULE__"})
    parents = frozenset()
    imports_names = False

    def whole(self, world: World, number: int, text: str) -> int | None:
        """The module with this full name."""
        rows = [row for row in world.named(text) if world.kind_of(row) in NAMED_KINDS]
        return only(world, number, rows) if rows else None

    def visible(self, world: World, number: int, around: str, name: str) -> int | None:
        """A module by its name."""
        return self.whole(world, number, name) if name[:1].isupper() else None


class FileModuleRules(Rules):
    """Lua, OCaml, Erlang, Zig, Gleam: a module is a file, and is named after it."""

    implicit_self = False
    imports_names = False

    def alias(self, made: Import) -> str:
        """The given alias, else the last part of the path."""
        return made.alias or made.module.replace("\\", "/").replace(".", "/").rstrip("/").rpartition("/")[2]

    def outer_module(self, world: World, number: int, name: str) -> Module | None:
        """The only file of the language that has the name."""
        language = world.language(number)
        same = [each for each in world.with_stem(name) if world.language(each) == language]
        same = same or [each for each in world.with_stem(name.lower()) if world.language(each) == language]
        return Module((same[0],)) if len(same) == 1 else None

    def module_row(self, world: World, module: Module, name: str) -> int | None:
        """A top-level definition, or a member of the table or block that the file returns."""
        found = super().module_row(world, module, name)
        if found is not None:
            return found
        rows = [
            row
            for row in world.named(name)
            if world.file_of(row) in module.files and "." not in world.symbols.container(row)
        ]
        return rows[0] if len(rows) == 1 else None
