"""Rust: modules by file and by block, paths from the crate, impl blocks anywhere in the crate."""

from __future__ import annotations

import posixpath

from sightline.relations.facts import Import
from sightline.relations.rules.base import Rules, only
from sightline.relations.values import TYPE_KINDS, Module, words_of
from sightline.relations.world import World

_ROOTS = ("lib.rs", "main.rs")


class RustRules(Rules):
    """How Rust resolves names."""

    selves = frozenset({"self"})
    classes = frozenset({"Self"})
    parents = frozenset()
    implicit_self = False
    imports_names = False
    reexports = True
    builtins = words_of(
        "Some None Ok Err Box Vec String Option Result std core alloc println format vec panic"
    )
    common = words_of(
        "new clone into from as_ref as_mut unwrap expect iter iter_mut into_iter map filter collect "
        "push pop len is_empty insert remove get get_mut contains to_string to_owned as_str as_bytes "
        "ok err and_then or_else unwrap_or unwrap_or_else unwrap_or_default is_some is_none is_ok "
        "is_err lock read write borrow borrow_mut poll next fmt eq cmp hash drop default send recv "
        "take replace extend join split trim parse await count min max sum fold any all find position "
        "rev zip chain enumerate skip first last clear drain sort store load peek peekable is_file is_dir "
        "exists path file_name file_type metadata display to_path_buf flush seek elapsed"
    )
    transparent = words_of(
        "clone unwrap expect as_ref as_mut borrow borrow_mut lock read write await to_owned into "
        "unwrap_or_default iter iter_mut into_iter get_mut get_ref as_deref deref unwrap_or "
        "unwrap_or_else ok take"
    )

    def module(self, world: World, number: int, text: str) -> Module | None:
        """The module of a path: from `crate`, `self` or `super`, or in another crate of the workspace."""
        parts = [part for part in text.split("::") if part]
        own = world.path(number)
        if not parts:
            return None
        if parts[0] == "crate":
            root = _crate_root(world, own)
            return _walk(world, root, parts[1:]) if root is not None else None
        if parts[0] in ("self", "super"):
            current: Module | None = Module((number,))
            for part in parts:
                if part == "super" and current is not None:
                    current = _parent(world, current)
                elif part != "self" and current is not None:
                    current = self.submodule(world, current, part)
            return current
        return self._relative(world, number, parts) or self._crate(world, parts)

    def _relative(self, world: World, number: int, parts: list[str]) -> Module | None:
        inner = self.submodule(world, Module((number,)), parts[0])
        return _walk_from(world, inner, parts[1:]) if inner else None

    def _crate(self, world: World, parts: list[str]) -> Module | None:
        for stem in ("lib", "main"):
            for file in world.with_stem(stem):
                folder = posixpath.dirname(world.path(file))
                crate = posixpath.basename(posixpath.dirname(folder))
                if folder.endswith("src") and crate.replace("-", "_") == parts[0]:
                    return _walk(world, file, parts[1:])
        return None

    def alias(self, made: Import) -> str:
        """The last part of the path."""
        return made.alias or (made.member if made.member != "self" else made.module.rpartition("::")[2])

    def visible(self, world: World, number: int, around: str, name: str) -> int | None:
        """A macro, if only one has the name: its visibility depends on attributes."""
        rows = [row for row in world.named(name) if world.kind_of(row) == "macro"]
        return only(world, number, rows) if len(rows) == 1 else None

    def outer_module(self, world: World, number: int, name: str) -> Module | None:
        """A module with which a path may begin."""
        return self.module(world, number, name)

    def module_row(self, world: World, module: Module, name: str) -> int | None:
        """A definition of the module; a module of the same name does not count."""
        found = super().module_row(world, module, name)
        return None if found is not None and world.kind_of(found) == "module" else found

    def settled(self, world: World, row: int) -> int | None:
        """The type that an impl block is for."""
        if world.kind_of(row) != "impl":
            return row
        return self.type_row(world, world.file_of(row), world.path_of(row))

    def submodule(self, world: World, module: Module, name: str) -> Module | None:
        """A block or a file with this name, below the module's file."""
        if not module.files:
            return None
        number = module.files[0]
        inside = f"{module.inside}.{name}" if module.inside else name
        row = world.at_path(number, inside)
        for base in _folders(world.path(number), module.inside):
            for path in (posixpath.join(base, f"{name}.rs"), posixpath.join(base, name, "mod.rs")):
                found = world.number(path)
                if found is not None:
                    return Module((found,))
        if row is not None and world.kind_of(row) == "module":
            return Module((number,), None, inside)
        return None

    def member(self, world: World, row: int, name: str) -> int | None:
        """A method of any impl block for the type, or a member of its own block."""
        found = world.row(world.file_of(row), name, world.path_of(row))
        if found is not None or world.kind_of(row) not in TYPE_KINDS:
            return found
        own, root = world.name_of(row), _crate_folder(world.path(world.file_of(row)))
        rows = [
            each
            for each in world.named(name)
            if world.language(world.file_of(each)) == "rust"
            and world.symbols.container(each).rpartition(".")[2] == own
            and _crate_folder(world.path(world.file_of(each))) == root
        ]
        return only(world, world.file_of(row), rows) if rows else None

    def type_row(self, world: World, number: int, path: str) -> int | None:
        """The type that an impl block is for: in this file, else the one with this name in the crate."""
        name = path.rpartition(".")[2]
        root = _crate_folder(world.path(number))
        rows = [
            row
            for row in world.named(name)
            if world.kind_of(row) in TYPE_KINDS - {"impl"}
            and world.language(world.file_of(row)) == "rust"
            and _crate_folder(world.path(world.file_of(row))) == root
        ]
        found = only(world, number, rows) if rows else None
        return found if found is not None else world.at_path(number, path)


def _crate_folder(path: str) -> str:
    head, found, _ = f"/{path}".rpartition("/src/")
    return head if found else posixpath.dirname(path)


def _crate_root(world: World, path: str) -> int | None:
    folder = _crate_folder(path).strip("/")
    for name in _ROOTS:
        found = world.number(posixpath.join(folder, "src", name))
        if found is not None:
            return found
    return world.number(path)


def _walk(world: World, number: int, parts: list[str]) -> Module | None:
    return _walk_from(world, Module((number,)), parts)


def _walk_from(world: World, module: Module | None, parts: list[str]) -> Module | None:
    for part in parts:
        if module is None:
            return None
        inner = RULES.submodule(world, module, part)
        if inner is None:
            # A type: what follows is a member of it.
            row = world.row(module.files[0], part, module.inside)
            path = f"{module.inside}.{part}" if module.inside else part
            inner = Module(module.files, None, path) if row is not None else None
        module = inner
    return module


def _parent(world: World, module: Module) -> Module | None:
    if module.inside:
        return Module(module.files, None, module.inside.rpartition(".")[0])
    path = world.path(module.files[0])
    folder = posixpath.dirname(path)
    if posixpath.basename(path) == "mod.rs":
        folder = posixpath.dirname(folder)
    for candidate in (f"{folder}.rs", f"{folder}/mod.rs", f"{folder}/lib.rs", f"{folder}/main.rs"):
        found = world.number(candidate)
        if found is not None and found != module.files[0]:
            return Module((found,))
    return None


def _folders(path: str, inside: str) -> list[str]:
    """The folders that contain the files of a module's submodules."""
    folder, name = posixpath.split(path)
    base = folder if name in ("mod.rs", *_ROOTS) else posixpath.join(folder, name.removesuffix(".rs"))
    return [posixpath.join(base, *inside.split(".")) if inside else base]


RULES = RustRules()
