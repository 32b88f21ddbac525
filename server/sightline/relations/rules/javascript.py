"""JavaScript and TypeScript: modules by relative path, index files, packages of a workspace, re-exports."""

from __future__ import annotations

import posixpath

from sightline.relations.facts import Import
from sightline.relations.rules.base import Rules, nearest
from sightline.relations.values import Module, words_of
from sightline.relations.world import World

_ENDINGS = (
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".mts",
    ".cts",
    ".vue",
    ".svelte",
    ".astro",
    ".d.ts",
)
_COMPILED = (".js", ".mjs", ".cjs", ".jsx")


class JavaScriptRules(Rules):
    """How JavaScript and TypeScript resolve names."""

    selves = frozenset({"this"})
    classes = frozenset()
    parents = frozenset({"super"})
    implicit_self = False
    imports_names = False
    reexports = True
    wholes = ("module.exports", "default")
    builtins = words_of(
        "Array Object String Number Boolean Symbol Map Set WeakMap WeakSet Promise Date RegExp Error "
        "TypeError Math JSON Reflect Proxy console process window document require parseInt "
        "parseFloat setTimeout setInterval clearTimeout clearInterval fetch Buffer isNaN "
        "encodeURIComponent decodeURIComponent describe it test expect"
    )
    common = words_of(
        "get set add has delete push pop shift unshift map filter forEach reduce find findIndex some "
        "every slice splice concat join split replace trim indexOf includes startsWith endsWith "
        "toString then catch finally on once off emit pipe write read end close call apply bind keys "
        "values entries match test exec log error warn send json status next toLowerCase toUpperCase "
        "sort reverse fill flat flatMap at from of create use run subscribe unsubscribe complete "
        "addEventListener removeEventListener querySelector append remove length toBe toEqual "
        "toHaveBeenCalled toHaveBeenCalledWith mockReturnValue start stop open init parse stringify "
        "toJSON toISOString toFixed getTime after before"
    )

    def module(self, world: World, number: int, text: str) -> Module | None:
        """The module of an import: a relative path, else a package or a path in the workspace."""
        if text.startswith("."):
            folder = posixpath.dirname(world.path(number))
            return _at(world, posixpath.normpath(posixpath.join(folder, text)))
        if text.startswith(("@/", "~/", "#/")):
            return _at(world, f"src/{text[2:]}") or _at(world, text[2:])
        found = _at(world, text)
        return found or self._package(world, number, text)

    def _package(self, world: World, number: int, text: str) -> Module | None:
        """A package of the same repository: a folder of the same name that has its own package.json."""
        parts = text.split("/")
        name, rest = (
            (parts[1], parts[2:]) if text.startswith("@") and len(parts) > 1 else (parts[0], parts[1:])
        )
        manifests = [
            each for each in world.with_stem("package") if world.path(each).endswith(f"/{name}/package.json")
        ]
        if not manifests:
            return None
        folder = posixpath.dirname(world.path(nearest(world, number, manifests)))
        for inner in ("", "src", "lib"):
            found = _at(
                world, posixpath.join(folder, inner, *rest) if inner else posixpath.join(folder, *rest)
            )
            if found:
                return found
        return None

    def alias(self, made: Import) -> str:
        """The name that is written in the import; a module alone binds none."""
        return made.alias or (made.member if made.member != "default" else "")

    def module_row(self, world: World, module: Module, name: str) -> int | None:
        """A top-level definition, or a member of the whole-module export."""
        for number in module.files:
            for container in ("", "exports", "module.exports"):
                found = world.row(number, name, container)
                if found is not None:
                    return found
        return None


def _at(world: World, path: str) -> Module | None:
    """The module at a path, with any extension; what is imported as `.js` may be written in TypeScript."""
    bare, ending = posixpath.splitext(path)
    stems = [path, bare] if ending in _COMPILED else [path]
    found = world.number(path)
    if found is not None and ending in _ENDINGS:
        return Module((found,))
    for stem in stems:
        for extension in _ENDINGS:
            for candidate in (
                stem + extension,
                f"{stem}/index{extension}" if stem != "." else f"index{extension}",
            ):
                found = world.number(candidate)
                if found is not None:
                    return Module((found,))
    return None
