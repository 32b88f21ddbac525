"""Java, Kotlin, Scala, C# and PHP: a file declares its package, and names are looked up in packages."""

from __future__ import annotations

from sightline.relations.facts import Import
from sightline.relations.rules.base import Rules, only
from sightline.relations.values import Module, words_of
from sightline.relations.world import World


class PackageRules(Rules):
    """How languages with packages resolve names."""

    selves = words_of("this $this self")
    classes = words_of("static")
    parents = words_of("super base parent")
    imports_names = False
    arity_decides = True
    arity_excludes = True
    common = words_of(
        "get set add remove put contains size isEmpty toString equals hashCode length charAt "
        "substring trim split append build builder of stream map filter collect forEach close read "
        "write run call accept apply test compareTo iterator next hasNext getName getClass getMessage "
        "valueOf format println print name value key clear indexOf replace startsWith endsWith join "
        "matches group find start wait notify lock unlock submit execute invoke let also takeIf first "
        "last count any all none toList asList"
    )

    def __init__(self, *languages: str, namespaces: bool = False) -> None:
        self._languages = frozenset(languages)
        # Whether an import of a whole package makes its names visible, as `using` does.
        self.imports_names = namespaces

    def module(self, world: World, number: int, text: str) -> Module | None:
        """The package, or the class in a package, that a dotted name refers to."""
        name = text.replace("\\", ".").strip(".")
        return Module(package=name, language=world.language(number))

    def alias(self, made: Import) -> str:
        """The last part of what is imported."""
        last = made.module.replace("\\", ".").rpartition(".")[2]
        return made.alias or made.member or ("" if self.imports_names else last)

    def parts(self, made: Import) -> tuple[str, str]:
        """`import a.b.C` names a member of `a.b`."""
        name = made.module.replace("\\", ".").strip(".")
        if made.member or (self.imports_names and not made.alias):
            return name, made.member
        head, _, last = name.rpartition(".")
        return head, last

    def foreign(self, name: str) -> bool:
        """A type that is neither in the package nor imported from the workspace is of a library."""
        return name[:1].isupper() or super().foreign(name)

    def visible(self, world: World, number: int, around: str, name: str) -> int | None:
        """A definition in another file of the package."""
        own = world.package(number).replace("\\", ".")
        inside = {own, *(f"{around}.".split(".")[:1])} if self.imports_names else {own}
        for package in sorted(inside, key=len, reverse=True):
            found = self._in_package(world, number, package, name)
            if found is not None:
                return found
        return None

    def module_row(self, world: World, module: Module, name: str) -> int | None:
        """A type of the package, or a member of the type that the dotted name ends in."""
        found = self._in_package(world, None, module.package, name)
        if found is not None:
            return found
        package, _, owner = module.package.rpartition(".")
        outer = self._in_package(world, None, package, owner) if owner else None
        return world.row(world.file_of(outer), name, world.path_of(outer)) if outer is not None else None

    def _in_package(self, world: World, number: int | None, package: str, name: str) -> int | None:
        rows = [
            row
            for row in world.named(name)
            if world.language(world.file_of(row)) in self._languages and self._outermost(world, row, package)
        ]
        if not rows:
            return None
        return only(world, number if number is not None else world.file_of(rows[0]), rows)

    def _outermost(self, world: World, row: int, package: str) -> bool:
        container = world.symbols.container(row)
        own = world.package(world.file_of(row)).replace("\\", ".")
        # A namespace may be a definition around the class, or a line at the top of the file.
        return (container == "" and own == package) or (container != "" and container == package)
