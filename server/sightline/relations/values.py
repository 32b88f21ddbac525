"""The possible values of an expression."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Named:
    """A definition itself: a function, a class, a constant."""

    row: int


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the workspace."""

    row: int


@dataclass(frozen=True, slots=True)
class Module:
    """A file, a part of a file, the files of a folder, or a package by its name."""

    files: tuple[int, ...] = ()
    # Where its submodules are; None if it has none.
    folder: str | None = None
    inside: str = ""
    package: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Elements:
    """A value that contains others: a list, a map, an iterator."""

    of: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class External:
    """A value from outside the workspace; its members must not be guessed."""


Value = Named | Instance | Module | Elements | External
Values = tuple[Value, ...]

EXTERNAL = External()
OUTSIDE: Values = (EXTERNAL,)
NOTHING: Values = ()

TYPE_KINDS = frozenset({"class", "struct", "interface", "trait", "enum", "impl", "object", "type"})
HOLDERS = frozenset({"namespace", "module"})
FUNCTIONS = frozenset({"function", "method", "constructor", "macro"})
VALUES = frozenset({"constant", "variable", "field", "property"})
# Kinds that have a title instead of a name: code cannot refer to them.
TITLED = frozenset({"test", "section", "block"})


def words_of(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


def distinct(values: list[Value]) -> Values:
    """Each value once, in order; external values only count if there are no others."""
    found = tuple(dict.fromkeys(values))
    inside = tuple(value for value in found if value is not EXTERNAL)
    return inside or found
