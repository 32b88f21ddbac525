"""What a query finds in a file: definitions, documentation, calls, branches and the like, as byte spans."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from sightline.indexing.parsing.source_text import Text
from sightline.languages.grammars import Grammar, find_matches

if TYPE_CHECKING:
    from tree_sitter import Node

Span = tuple[int, int]

# A generated table may define tens of thousands of names; the last of them are not worth finding.
MAX_DEFINITIONS = 5000
_MAX_NAME = 120
_DEFINING = frozenset({"definition", "clause", "section"})
_QUOTES = "\"'`:"
_RELATING = frozenset(
    {
        "call",
        "bind",
        "module",
        "base",
        "returns",
        "return",
        "package",
        "flag",
        "declared",
        "use",
        "parameters",
    }
)


@dataclass(slots=True)
class Definition:
    """A definition being built; `start` moves back to include comments, `head` is where the code starts."""

    kind: str
    name: str
    start: int
    head: int
    end: int
    name_start: int
    name_end: int
    node: Node | None
    pattern: int = 0
    scope: str = ""
    role: str = "definition"
    doc: str = ""
    signature: str = ""
    container: str = ""
    parent: int = -1


@dataclass(slots=True)
class Captures:
    """Everything that one query run found, each list in text order."""

    definitions: list[Definition] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    attributes: list[Span] = field(default_factory=list)
    docs: list[Span] = field(default_factory=list)
    calls: list[Span] = field(default_factory=list)
    imports: list[Span] = field(default_factory=list)
    branches: list[Span] = field(default_factory=list)
    scripts: list[Span] = field(default_factory=list)
    errors: list[Span] = field(default_factory=list)
    # Matches about names: what they are bound to, called on, imported from and derived from.
    relations: list[dict[str, list[Node]]] = field(default_factory=list)


@cache
def _role(capture: str) -> tuple[str, str]:
    role, _, kind = capture.partition(".")
    return role, kind


def collect(grammar: Grammar, root: Node, text: Text) -> Captures:
    """Run the grammar's query over a tree."""
    found = Captures()
    spans = {
        "comment": found.comments,
        "attribute": found.attributes,
        "doc": found.docs,
        "call": found.calls,
        "import": found.imports,
        "branch": found.branches,
        "script": found.scripts,
        "error": found.errors,
    }
    by_name: dict[int, Definition] = {}
    for pattern, captures in find_matches(grammar, root):
        if not _RELATING.isdisjoint(captures):
            found.relations.append(captures)
        if "name" in captures:
            _define(by_name, pattern, captures, text)
            continue
        for capture, nodes in captures.items():
            marks = spans.get(capture)
            if marks is not None:
                for node in nodes:
                    marks.append(node.byte_range)
    for found_spans in spans.values():
        found_spans.sort()
    found.definitions = list(by_name.values())[:MAX_DEFINITIONS]
    _close_sections(found.definitions, len(text.source))
    return found


def _close_sections(definitions: list[Definition], end: int) -> None:
    """End each section at the next one, or at the end of the text."""
    if all(definition.role != "section" for definition in definitions):
        return
    for definition in sorted(definitions, key=lambda each: each.start, reverse=True):
        if definition.role == "section":
            definition.end, end = end, definition.start
            definition.node = None


def _define(
    by_name: dict[int, Definition], pattern: int, captures: dict[str, list[Node]], text: Text
) -> None:
    """Add one definition; of two for one name, keep the outer node and the kind of the earlier pattern."""
    for capture, nodes in captures.items():
        role, kind = _role(capture)
        if role not in _DEFINING:
            continue
        found = _definition(role, kind, pattern, captures, nodes, text)
        if not found.name:
            # The parser invented a missing name to continue after an error.
            continue
        known = by_name.setdefault(found.name_start, found)
        if known is found:
            continue
        if found.pattern < known.pattern:
            known.kind, known.pattern = found.kind, found.pattern
            known.name, known.scope, known.name_end = found.name, found.scope, found.name_end
        if found.end - found.start > known.end - known.start:
            known.start, known.head, known.end, known.node = found.start, found.head, found.end, found.node


def _definition(
    role: str, kind: str, pattern: int, captures: dict[str, list[Node]], nodes: list[Node], text: Text
) -> Definition:
    names = captures["name"]
    start = nodes[0].start_byte
    body = captures.get("body", nodes)[-1]
    name_start, name_end = names[0].start_byte, names[-1].end_byte
    name = _word(text.decoded(name_start, name_end))[:_MAX_NAME] if len(names) == 1 else _joined(names, text)
    scope = _scope(captures["container"], text) if "container" in captures else ""
    end = body.end_byte
    return Definition(kind, name, start, start, end, name_start, name_end, body, pattern, scope, role)


def _scope(nodes: list[Node], text: Text) -> str:
    """The type that a definition outside of it names, without parameters: `Queue` for `Queue<T>::size`."""
    return _joined(nodes, text).partition("<")[0].removesuffix(".prototype")


def _joined(nodes: list[Node], text: Text) -> str:
    words = [_word(text.decoded(*node.byte_range)) for node in nodes]
    return ".".join(words)[:_MAX_NAME]


def _word(text: str) -> str:
    word = text.strip(_QUOTES)
    # Names that are whole sentences may be written on several lines.
    return word if word.isidentifier() else " ".join(word.split())
