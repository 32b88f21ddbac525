"""Python: modules by dotted path from a source root, packages, relative imports, re-exports."""

from __future__ import annotations

import builtins
import posixpath
from collections.abc import Sequence

from sightline.relations.facts import Import
from sightline.relations.rules.base import Rules
from sightline.relations.values import Module, words_of
from sightline.relations.world import World

_ENDINGS = (".py", ".pyi")


class PythonRules(Rules):
    """How Python resolves names."""

    selves = frozenset({"self"})
    classes = frozenset({"cls"})
    parents = frozenset({"super"})
    implicit_self = False
    imports_names = False
    reexports = True
    names_types = True
    uncalled = frozenset()
    builtins = frozenset(dir(builtins))
    common = frozenset(
        name
        for kind in (str, bytes, list, dict, set, tuple, int, float, object, type, Exception)
        for name in dir(kind)
    ) | words_of(
        "read write close open flush seek readline readlines writelines start join run wait send recv "
        "put get acquire release submit result cancel done connect execute fetchone fetchall commit "
        "rollback cursor group groups match search sub findall finditer debug info warning error "
        "exception critical log exists mkdir is_file is_dir iterdir glob rglob unlink stat resolve "
        "parse dump load dumps loads encode decode total_seconds isoformat strftime timestamp now "
        "today popleft appendleft extendleft rotate most_common elements communicate poll kill "
        "terminate reshape astype sum mean min max std dot any all transpose flatten "
        "assert_called_once assert_called assert_called_once_with assert_called_with "
        "assert_not_called"
    )

    def module(self, world: World, number: int, text: str) -> Module | None:
        """The module of a dotted name; leading dots go up from the importing file."""
        name = text.lstrip(".")
        parts = name.split(".") if name else []
        above = len(text) - len(name)
        if above:
            folder = world.path(number)
            for _ in range(above):
                folder = posixpath.dirname(folder)
            return _at(world, [folder, *parts] if folder else parts)
        return self._absolute(world, number, parts)

    def _absolute(self, world: World, number: int, parts: list[str]) -> Module | None:
        own = posixpath.dirname(world.path(number))
        # A script's folder, and every folder above it that is no package, may be a source root.
        while True:
            if world.number(posixpath.join(own, "__init__.py")) is None:
                found = _at(world, [own, *parts] if own else parts)
                if found:
                    return found
            if not own:
                break
            own = posixpath.dirname(own)
        return self._elsewhere(world, parts)

    def _elsewhere(self, world: World, parts: list[str]) -> Module | None:
        """A package below another source root, as `src/` is for `tests/`: the one nearest to the top."""
        packages = [
            folder
            for folder in world.folders_named(parts[0])
            if world.number(f"{folder}/__init__.py") is not None
        ]
        roots = {posixpath.dirname(folder) for folder in packages}
        roots = {root for root in roots if world.number(posixpath.join(root, "__init__.py")) is None}
        for root in sorted(roots, key=lambda each: (each.count("/"), each)):
            found = _at(world, [root, *parts] if root else parts)
            if found:
                return found
        return None

    def alias(self, made: Import) -> str:
        """`import a.b` binds `a`."""
        return made.alias or made.member or made.module.partition(".")[0]

    def parts(self, made: Import) -> tuple[str, str]:
        """`import a.b` binds the outermost package."""
        whole = made.member or made.alias
        return (made.module if whole else made.module.partition(".")[0]), made.member

    def submodule(self, world: World, module: Module, name: str) -> Module | None:
        """A module in the folder of a package."""
        return (
            None if module.folder is None else _at(world, [module.folder, name] if module.folder else [name])
        )

    def exported(self, name: str) -> bool:
        """Names with a leading underscore are not exported."""
        return not name.startswith("_")


def _at(world: World, parts: Sequence[str]) -> Module | None:
    """The module at a path below the root of the folder."""
    path = "/".join(part for part in parts if part)
    for ending in _ENDINGS:
        package = world.number(f"{path}/__init__{ending}" if path else f"__init__{ending}")
        if package is not None:
            return Module((package,), path)
    for ending in _ENDINGS:
        found = world.number(path + ending)
        if found is not None:
            return Module((found,))
    # A folder without a file of its own is also a package, if it contains anything.
    return Module((), path) if path and world.has_folder(path) else None
