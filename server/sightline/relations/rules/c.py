"""C and similar languages: one namespace per program, declarations in headers, classes across files."""

from __future__ import annotations

from sightline.relations.rules.base import NAMED_KINDS, Rules, only
from sightline.relations.values import HOLDERS, TYPE_KINDS, Module, words_of
from sightline.relations.world import World

FAMILY = words_of("c cpp objc hlsl glsl")


class CRules(Rules):
    """How C and C++ resolve names."""

    selves = frozenset({"this", "self"})
    classes = frozenset()
    parents = frozenset({"super"})
    imports_names = False
    arity_decides = True
    builtins = words_of("sizeof defined malloc free printf memcpy memset strlen assert std")
    common = words_of(
        "size empty begin end push_back emplace_back insert erase find at front back clear data c_str "
        "str length append substr reset get release swap lock unlock load store first second count "
        "reserve resize what value emplace pop push top join detach wait notify_one notify_all open "
        "close read write flush good eof"
    )

    def module(self, world: World, number: int, text: str) -> Module | None:
        """The header of an include; names are visible whether or not it is found."""
        return None

    def visible(self, world: World, number: int, around: str, name: str) -> int | None:
        """A definition of the program: in the enclosing namespaces, and not private to another file."""
        spaces = {"", *_prefixes(around)}
        rows = [
            row
            for row in world.named(name)
            if world.language(world.file_of(row)) in FAMILY
            and world.kind_of(row) in NAMED_KINDS
            and world.symbols.container(row) in spaces
        ]
        return self._choose(world, number, rows)

    def _choose(self, world: World, number: int, rows: list[int]) -> int | None:
        """The best candidate: defined rather than declared, not private to another file, nearest."""
        if rows and all(world.kind_of(row) in HOLDERS for row in rows):
            return min(rows)
        seen = [row for row in rows if not self._private(world, number, row)]
        defined = [row for row in seen if "declared" not in world.marks(row)]
        return only(world, number, defined or seen)

    def _private(self, world: World, number: int, row: int) -> bool:
        file = world.file_of(row)
        return file != number and "static" in world.marks(row) and not _is_header(world.path(file))

    def member(self, world: World, row: int, name: str) -> int | None:
        """A member of a class or namespace, which may be defined in any file."""
        path, number = world.path_of(row), world.file_of(row)
        known = world.kind_of(row) in TYPE_KINDS
        own = world.name_of(row)
        rows = [
            each
            for each in world.named(name)
            if world.language(world.file_of(each)) in FAMILY
            and (
                world.symbols.container(each) == path
                or (known and world.symbols.container(each).rpartition(".")[2] == own)
            )
        ]
        return self._choose(world, number, rows)

    def type_row(self, world: World, number: int, path: str) -> int | None:
        """The type of a method that is defined outside it, usually in another file."""
        found = world.at_path(number, path)
        if found is not None and world.kind_of(found) in TYPE_KINDS:
            return found
        name = path.rpartition(".")[2]
        rows = [
            row
            for row in world.named(name)
            if world.kind_of(row) in TYPE_KINDS and world.language(world.file_of(row)) in FAMILY
        ]
        return only(world, number, rows)

    def settled(self, world: World, row: int) -> int | None:
        """The definition with a body of what a header declares."""
        if "declared" not in world.marks(row):
            return row
        container = world.symbols.container(row)
        rows = [
            each
            for each in world.named(world.name_of(row))
            if world.symbols.container(each) == container
            and world.language(world.file_of(each)) in FAMILY
            and "declared" not in world.marks(each)
            and not self._private(world, world.file_of(row), each)
        ]
        return only(world, world.file_of(row), rows) if rows else row


def _prefixes(path: str) -> list[str]:
    parts = path.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _is_header(path: str) -> bool:
    return path.rpartition(".")[2].lower() in ("h", "hh", "hpp", "hxx", "inc", "inl", "ipp", "tpp")
