"""Go: a folder is a package, a module's path is in its go.mod, methods are defined beside their type."""

from __future__ import annotations

import posixpath

from sightline.relations.facts import Import
from sightline.relations.rules.base import Rules
from sightline.relations.values import TYPE_KINDS, Module, words_of
from sightline.relations.world import World

_TEST = "_test.go"


class GoRules(Rules):
    """How Go resolves names."""

    selves = frozenset()
    classes = frozenset()
    parents = frozenset()
    implicit_self = False
    imports_names = False
    uncalled = Rules.uncalled | TYPE_KINDS
    builtins = words_of(
        "append cap clear close complex copy delete imag len make max min new panic print println "
        "real recover bool byte error float32 float64 int int8 int16 int32 int64 rune string uint "
        "uint8 uint16 uint32 uint64 uintptr any comparable"
    )
    common = words_of(
        "Error String Write Read Close Lock Unlock RLock RUnlock Add Done Wait Len Less Swap Get Set "
        "Do Run Errorf Fatal Fatalf Log Logf Helper Skip Name Format Sub Unix Seconds Bytes "
        "WriteString"
    )

    def module(self, world: World, number: int, text: str) -> Module | None:
        """The package of an import path: a folder below the go.mod whose module path is its prefix."""
        for file in world.with_stem("go"):
            if posixpath.basename(world.path(file)) != "go.mod":
                continue
            base = world.package(file)
            if base and (text == base or text.startswith(f"{base}/")):
                folder = posixpath.join(posixpath.dirname(world.path(file)), text[len(base) + 1 :])
                found = self._package(world, folder.rstrip("/"), tests=False)
                if found:
                    return Module(found, folder)
        return None

    def _package(self, world: World, folder: str, *, tests: bool) -> tuple[int, ...]:
        return tuple(
            number
            for number in world.in_folder(folder)
            if world.language(number) == "go" and (tests or not world.path(number).endswith(_TEST))
        )

    def alias(self, made: Import) -> str:
        """A package is named after the last part of its path that is no version."""
        if made.alias:
            return made.alias
        parts = made.module.split("/")
        last = parts[-2] if len(parts) > 1 and parts[-1][:1] == "v" and parts[-1][1:].isdigit() else parts[-1]
        return last.removeprefix("go-").partition(".")[0].replace("-", "_")

    def visible(self, world: World, number: int, around: str, name: str) -> int | None:
        """A definition in the same package."""
        folder, _, own = world.path(number).rpartition("/")
        for sibling in self._package(world, folder, tests=own.endswith(_TEST)):
            found = world.row(sibling, name, "")
            if found is not None:
                return found
        return None

    def member(self, world: World, row: int, name: str) -> int | None:
        """A method or field, in any file of the package."""
        path, number = world.path_of(row), world.file_of(row)
        found = world.row(number, name, path)
        if found is not None:
            return found
        folder = posixpath.dirname(world.path(number))
        for sibling in self._package(world, folder, tests=True):
            found = world.row(sibling, name, path)
            if found is not None:
                return found
        return None
