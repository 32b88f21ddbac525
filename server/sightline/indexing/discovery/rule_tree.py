"""The rules of one ignore file as a tree over path components, walked down as folders are entered.

Matching a path costs the same whether the file has ten rules or tens of thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sightline.indexing.discovery.ignore_globs import GlobTable, is_literal


class Rule(NamedTuple):
    """One pattern; if several match, the last one decides."""

    number: int
    negated: bool
    # Whether the pattern is anchored at the top, instead of matching at any depth.
    names_the_way: bool
    # The glob of the last component, as written.
    name: str


class _Node:
    """A node shared by the patterns that have the same components up to here."""

    __slots__ = ("globs", "leads", "literals", "rule", "rule_of_files", "stars", "stays")

    def __init__(self, stays: bool = False) -> None:
        self.literals: dict[str, _Node] = {}
        self.globs: GlobTable[_Node] | None = None
        # What follows a `**` here; `stays` is set on that node, because any component leads back to it.
        self.stars: _Node | None = None
        self.stays = stays
        # The last rule that ends here, and the last one that also applies to files.
        self.rule: Rule | None = None
        self.rule_of_files: Rule | None = None
        # Whether anchored rules continue from here, keyed by whether they are negated.
        self.leads: set[bool] = set()

    def child(self, component: str) -> _Node:
        """The child for a component of a pattern, created on first use."""
        if component == "**":
            self.stars = self.stars or _Node(stays=True)
            return self.stars
        if is_literal(component):
            return self.literals.setdefault(component, _Node())
        self.globs = self.globs or GlobTable()
        return self.globs.setdefault(component, _Node)

    def reached(self, name: str) -> Iterator[_Node]:
        """The nodes that one component of a path leads to."""
        if self.stays:
            yield self
        if (child := self.literals.get(name)) is not None:
            yield child
        if self.globs is not None:
            yield from self.globs.find(name)


class Position(NamedTuple):
    """How far the path to one folder matches each pattern of an ignore file."""

    nodes: tuple[_Node, ...]

    def below(self, name: str) -> Position:
        """The position of a subfolder."""
        return _position(child for node in self.nodes for child in node.reached(name))

    def match(self, name: str, is_dir: bool) -> Rule | None:
        """The rule that decides for a child of this folder."""
        found: Rule | None = None
        for node in self.nodes:
            for child in node.reached(name):
                rule = child.rule if is_dir else child.rule_of_files
                if rule is not None and (found is None or rule.number > found.number):
                    found = rule
        return found

    def leads_on(self, negated: bool) -> bool:
        """Whether something below this folder could match an anchored pattern."""
        return any(negated in node.leads for node in self.nodes)


def _position(nodes: Iterable[_Node]) -> Position:
    """The position of these nodes and of those after a `**` that matches nothing."""
    found = dict.fromkeys(nodes)
    for node in tuple(found):
        stars = node.stars
        while stars is not None:
            found[stars] = None
            stars = stars.stars
    return Position(tuple(found))


def top_position(lines: Iterable[str], ignore_case: bool = False) -> Position:
    """The start position of an ignore file's rules; with `ignore_case` names must be in lower case."""
    root = _Node()
    for number, line in enumerate(lines):
        _add(root, number, line.lower() if ignore_case else line)
    return _position([root])


def _add(root: _Node, number: int, line: str) -> None:
    """Add the rule of a line; comments, blank lines and patterns that git does not accept add none."""
    text = _trimmed(line)
    if not text or text.startswith("#"):
        return
    negated = text.startswith("!")
    text = text[1:] if negated else text
    dir_only = text.endswith("/")
    names = _components(text[:-1] if dir_only else text)
    if "" in names:
        return
    rule = Rule(number, negated, names[0] != "**", names[-1])
    node = root
    for name in names:
        _note_lead(node, rule)
        node = node.child(name)
    if node.stays:
        _note_lead(node, rule)
    node.rule = rule
    if not dir_only:
        node.rule_of_files = rule


def _components(text: str) -> Sequence[str]:
    """The components from the top; a pattern without a slash matches at any depth."""
    names = text.split("/")
    if len(names) == 1:
        return ("**", *names)
    return names if names[0] else names[1:]


def _note_lead(node: _Node, rule: Rule) -> None:
    if rule.names_the_way:
        node.leads.add(rule.negated)


def _trimmed(line: str) -> str:
    """The line without trailing spaces, except escaped ones."""
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 and len(stripped) < len(line) else stripped
