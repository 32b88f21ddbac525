"""What a query finds in a file: definitions, documentation, calls, imports and errors, as byte spans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from sightline.languages.grammars import Grammar, find_matches

if TYPE_CHECKING:
    from tree_sitter import Node

Span = tuple[int, int]

# A generated table may define tens of thousands of names; nobody looks for the last of them.
_MAX_DEFINITIONS = 5000
_MAX_NAME = 120
_QUOTES = "\"'`"


@dataclass(slots=True)
class Definition:
    """A definition under construction; `start` grows to take in comments, `end` to the end of its line."""

    kind: str
    name: str
    start: int
    end: int
    name_start: int
    name_end: int
    node: Node
    pattern: int
    scope: str = ""
    clause: bool = False
    doc: str = ""
    container: str = ""
    parent: int = -1
    depth: int = 0


@dataclass(slots=True)
class Captures:
    """Everything one query run found, each list in the order of the text."""

    definitions: list[Definition] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    attributes: list[Span] = field(default_factory=list)
    docs: list[Span] = field(default_factory=list)
    calls: list[Span] = field(default_factory=list)
    imports: list[Span] = field(default_factory=list)
    errors: list[Span] = field(default_factory=list)


@lru_cache(maxsize=None)
def _role(capture: str) -> tuple[str, str]:
    role, _, kind = capture.partition(".")
    return role, kind


def collect(grammar: Grammar, root: Node, source: bytes) -> Captures:
    """Run the grammar's query over a tree."""
    found = Captures()
    spans = {
        "comment": found.comments,
        "attribute": found.attributes,
        "doc": found.docs,
        "call": found.calls,
        "import": found.imports,
        "error": found.errors,
    }
    by_name: dict[int, Definition] = {}
    for pattern, captures in find_matches(grammar, root):
        names = captures.get("name")
        if names is not None:
            _define(by_name, pattern, captures, names, source)
        else:
            for capture, nodes in captures.items():
                if capture in spans:
                    spans[capture].extend(node.byte_range for node in nodes)
    found.definitions = list(by_name.values())[:_MAX_DEFINITIONS]
    return found


def _define(
    by_name: dict[int, Definition],
    pattern: int,
    captures: dict[str, list[Node]],
    names: list[Node],
    source: bytes,
) -> None:
    """Note one definition; of two for one name the outer node and the kind of the earlier pattern stand."""
    name_start = names[0].start_byte
    for capture, nodes in captures.items():
        role, kind = _role(capture)
        if role not in ("definition", "clause"):
            continue
        node = nodes[0]
        known = by_name.get(name_start)
        if known is None:
            by_name[name_start] = Definition(
                kind=kind,
                name=_joined(names, source),
                start=node.start_byte,
                end=node.end_byte,
                name_start=name_start,
                name_end=names[-1].end_byte,
                node=node,
                pattern=pattern,
                scope=_joined(captures.get("container", ()), source),
                clause=role == "clause",
            )
            continue
        if pattern < known.pattern:
            known.kind, known.pattern = kind, pattern
        if node.end_byte - node.start_byte > known.end - known.start:
            known.start, known.end, known.node = node.start_byte, node.end_byte, node


def _joined(nodes: Iterable[Node], source: bytes) -> str:
    words = (source[node.start_byte : node.end_byte].decode("utf-8", "replace") for node in nodes)
    return ".".join(" ".join(word.strip(_QUOTES).split()) for word in words)[:_MAX_NAME]
