"""Facts about the names of one file: scopes, imports, bindings and calls, packed for the catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

# What a binding gives for its name: a declared type, a value, an element of a value, a value that a
# function returns, the declared return type of a function, a base of a class, an attribute of a
# definition (a decorator), the parameters of a function, or only that the name is local.
BindingKind = Literal[":", "=", "@", "^", ">", "<", "#", "?", "("]
CallKind = Literal["", "n", "d"]

_SELVES = frozenset({"self", "this", "cls", "$this"})
_TYPES = frozenset({"class", "struct", "interface", "trait", "enum", "impl", "object", "type"})
_BASE = "\t<\t<\t"
_SECTION, _LINE, _FIELD = "\x1e", "\n", "\t"


class Import(NamedTuple):
    """A name that an import binds; an empty member means the module itself, `*` everything in it."""

    scope: int
    alias: str
    module: str
    member: str


class Binding(NamedTuple):
    """A fact that a scope states about a name."""

    scope: int
    name: str
    kind: BindingKind
    hint: str


class Call(NamedTuple):
    """A call: the called name and its position; `receiver` is the expression before it, in short form."""

    scope: int
    name: str
    receiver: str
    line: int
    column: int
    kind: CallKind = ""
    arguments: str = ""


class Scope(NamedTuple):
    """A definition that contains other definitions or code, by its dotted path inside the file."""

    path: str
    kind: str
    parent: int


FILE_SCOPE = Scope("", "file", -1)


class Facts:
    """The facts of one file, parsed on demand."""

    def __init__(self, packed: str) -> None:
        self._aliases: dict[tuple[int, str], Import] | None = None
        self._sections = packed.split(_SECTION) if packed else ["", "", "", ""]

    @cached_property
    def scopes(self) -> Sequence[Scope]:
        """The scopes of the file; the first is the file itself."""
        rows = (line.split(_FIELD) for line in _lines(self._sections[0]))
        return (FILE_SCOPE, *(Scope(path, kind, int(parent)) for path, kind, parent in rows))

    @cached_property
    def imports(self) -> Sequence[Import]:
        """Every import, in text order."""
        rows = (line.split(_FIELD) for line in _lines(self._sections[1]))
        return tuple(Import(int(scope), *rest) for scope, *rest in rows)

    @cached_property
    def bindings(self) -> dict[tuple[int, str], list[Binding]]:
        """The bindings by scope and name."""
        found: dict[tuple[int, str], list[Binding]] = {}
        for line in _lines(self._sections[2]):
            scope, name, kind, hint = line.split(_FIELD)
            # The kind is one that the parser wrote; checking each would take longer than reading it.
            binding = Binding(int(scope), name, kind, hint)  # type: ignore[arg-type]
            found.setdefault((binding.scope, name), []).append(binding)
        return found

    @cached_property
    def attributes(self) -> dict[tuple[int, str], list[Binding]]:
        """What methods assign to members of their object, by the scope of the type and the member."""
        found: dict[tuple[int, str], list[Binding]] = {}
        for (scope, name), bindings in self.bindings.items():
            owner, _, member = name.partition(".")
            if name.startswith("@"):
                owner, member = "self", name
            if owner in _SELVES and member and "." not in member:
                found.setdefault((self._type_around(scope), member), []).extend(bindings)
        return found

    def _type_around(self, scope: int) -> int:
        at = scope
        while at > 0 and self.scopes[at].kind not in _TYPES:
            at = self.scopes[at].parent
        return at

    @cached_property
    def scope_of_path(self) -> dict[str, list[int]]:
        """The scopes by path; a path may be defined twice."""
        found: dict[str, list[int]] = {}
        for number, scope in enumerate(self.scopes):
            found.setdefault(scope.path, []).append(number)
        return found

    def derived_from(self, name: str) -> Iterator[int]:
        """The scopes of classes that have a name among their bases; other bindings are not parsed."""
        text = f"{_LINE}{self._sections[2]}{_LINE}"
        at = text.find(_BASE)
        while at >= 0:
            start, end = text.rfind(_LINE, 0, at) + 1, text.find(_LINE, at)
            if name in text[at:end]:
                yield int(text[start:at])
            at = text.find(_BASE, end)

    def imported(self, scope: int, name: str, alias_of: Callable[[Import], str]) -> Import | None:
        """The import that binds a name in a scope; `alias_of` must depend on the language alone."""
        if self._aliases is None:
            self._aliases = {}
            for made in self.imports:
                if made.member != "*":
                    self._aliases.setdefault((made.scope, alias_of(made)), made)
        return self._aliases.get((scope, name))

    def calls(self) -> Iterator[Call]:
        """Every call, in text order."""
        return map(_call, _lines(self._sections[3]))

    def calls_named(self, name: str) -> Iterator[Call]:
        """The calls of one name; other calls are not parsed."""
        text, wanted = self._call_lines, f"{_LINE}{name}{_FIELD}"
        at = text.find(wanted)
        while at >= 0:
            yield _call(text[at + 1 : text.find(_LINE, at + 1)])
            at = text.find(wanted, at + 1)

    @cached_property
    def _call_lines(self) -> str:
        return f"{_LINE}{self._sections[3]}{_LINE}"


def scope_line(path: str, kind: str, parent: int) -> str:
    """A scope as it is stored."""
    return f"{_plain(path)}\t{kind}\t{parent}"


def import_line(scope: int, alias: str, module: str, member: str) -> str:
    """An import as it is stored."""
    return f"{scope}\t{alias}\t{module}\t{member}"


def binding_line(scope: int, name: str, kind: BindingKind, hint: str) -> str:
    """A binding as it is stored."""
    return f"{scope}\t{name}\t{kind}\t{hint}"


def call_line(name: str, receiver: str, line: int, column: int, scope: int, passed: str) -> str:
    """A call as it is stored: its name first, to be found by it; its kind and arguments last."""
    return f"{_plain(name)}\t{receiver}\t{line}\t{column}\t{scope}\t{passed}"


def pack(scopes: Iterable[str], imports: Iterable[str], bindings: Iterable[str], calls: Iterable[str]) -> str:
    """The facts of a file as one text; the first scope, which is the file itself, is implicit."""
    return _SECTION.join(map(_LINE.join, (scopes, imports, bindings, calls)))


def _plain(name: str) -> str:
    """A name without the separators of packed facts; names of tests may be whole sentences."""
    return name if name.isprintable() else " ".join(name.replace(_SECTION, " ").split())


def _lines(section: str) -> list[str]:
    return section.split(_LINE) if section else []


def _call(line: str) -> Call:
    name, receiver, at, column, scope, rest = line.split(_FIELD)
    # The kind is one that the parser wrote, as above.
    kind = rest[:1] if rest[:1].isalpha() else ""
    return Call(int(scope), name, receiver, int(at), int(column), kind, rest[len(kind) :])  # type: ignore[arg-type]
