"""Message to its source: a message as the program prints it must find the function that makes it.

The tasks are string literals of the searched tree that read like a message. Placeholders are replaced by
values, as in a message that a user pastes, and some get the prefix that a logger or a command line adds.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.ranking.sentences import parser_of, sources, suffix_of
from tests.benchmarks.ranking.tasks import Place, Task
from training.definitions import definitions
from training.grammars import BY_SUFFIX

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST = 20
_FEWEST_WORDS, _MOST_WORDS = 5, 30
_SHARE_OF_WORDS = 0.7
_PLACEHOLDER = re.compile(
    r"""\$\{[^{}]*\}|\#\{[^{}]*\}|\\\([^()]*\)|\{\{?[\w.!:?#>+*()\[\], "'-]*\}?\}|\{[^{}]*\}"""
    r"|%[-+ #0]*[\d*]*(?:\.\d+)?(?:\([\w.]+\))?(?:hh|h|ll|l|z|j)?[sdiuxXqvfgecprTtwn]|%\w+\$s|:\w+:"
)
_VALUES = (
    *("users", "my_app", "Widget", "requests", "42", "0x7f", "4.0.0", "2024-05-01", "utf-16", "a1b2c3d"),
    *("main.py", "build/out", "/home/me/project/config.yml", "https://example.org/api/v2", "127.0.0.1:8080"),
)
_PREFIXES = ("", "", "", "", "Error: ", "error: ", "[error] ", "fatal: ", "WARNING: ")
_QUOTES = re.compile(r"""^(?:[rRbBuUfFLl@$~]*|~[sS])(?:\"\"\"|'''|\"|'|`)|(?:\"\"\"|'''|\"|'|`)$""")
_STRINGS = frozenset(
    """string string_literal interpreted_string_literal raw_string_literal template_string encapsed_string
    line_string_literal interpolated_string_expression verbatim_string_literal""".split()  # noqa: SIM905
)
_JOINED = frozenset(
    ("concatenated_string", "binary_expression", "binary_operator", "binary", "additive_expression")
)
_BUILT = re.compile(r"\.min\.|(^|/)(dist|vendor|_vendor|node_modules)/")
_WORD = re.compile(r"[A-Za-z][a-z']+")


def tasks_of(root: Path) -> tuple[Task, ...]:
    """Up to twenty messages of a tree, the same ones every time."""
    places: dict[str, list[Place]] = defaultdict(list)
    for path in sources(root):
        if _BUILT.search(path):
            continue
        for literal, place in _messages(root, path):
            places[literal].append(place)
    chosen = random.Random(7)
    literals = sorted(literal for literal, found in places.items() if len(found) <= 2)
    chosen.shuffle(literals)
    return tuple(_task(literal, places[literal], chosen) for literal in literals[:_MOST])


def _task(literal: str, places: list[Place], chosen: random.Random) -> Task:
    filled = _PLACEHOLDER.sub(lambda match: chosen.choice(_VALUES), literal)
    query = chosen.choice(_PREFIXES) + " ".join(filled.split())
    return Task(query, tuple(sorted({place.path for place in places})), tuple(places), category="message")


def _messages(root: Path, path: str) -> Iterator[tuple[str, Place]]:
    """The messages of a file, each with the innermost definition around it."""
    grammar = BY_SUFFIX[suffix_of(path)]
    source = (root / path).read_bytes()
    tree = parser_of(grammar.name).parse(source).root_node
    found = [(each.start_line, each.end_line) for each in definitions(source, tree, grammar)]
    for line, literal in _literals(tree):
        around = [lines for lines in found if lines[0] <= line <= lines[1]]
        if around and _is_message(literal):
            yield literal, Place(path, *max(around))


def _literals(root: Node) -> Iterator[tuple[int, str]]:
    stack = [root]
    while stack:
        node = stack.pop()
        if _is_test_module(node):
            continue
        pieces = _pieces(node)
        if pieces is None:
            stack.extend(reversed(node.children))
        elif pieces and not _is_statement(node):
            yield node.start_point[0] + 1, "".join(pieces)


def _is_test_module(node: Node) -> bool:
    """Whether a node is a module of tests inside a source file of Rust: what it says no program prints."""
    name = node.child_by_field_name("name") if node.type == "mod_item" else None
    return name is not None and name.text in (b"test", b"tests")


def _pieces(node: Node) -> list[str] | None:
    """The texts of a literal, or of literals that are joined and nothing else; None for other nodes."""
    if node.type in _STRINGS:
        return [_QUOTES.sub("", _QUOTES.sub("", (node.text or b"").decode("utf-8", "replace"), count=1))]
    if node.type not in _JOINED:
        return None
    pieces = [_pieces(child) for child in node.named_children]
    if any(piece is None for piece in pieces):
        return None
    return [text for piece in pieces if piece for text in piece]


def _is_statement(node: Node) -> bool:
    """Whether a literal is a documentation string."""
    return node.parent is not None and node.parent.type in ("expression_statement", "block", "module")


def _is_message(literal: str) -> bool:
    if "\n" in literal.strip() or "\\n" in literal.strip()[:-2] or "://" in literal or "<" in literal:
        return False
    words = _PLACEHOLDER.sub(" ", literal).split()
    plain = [word for word in words if _WORD.fullmatch(word.strip(".,:;!?()`'\""))]
    return _FEWEST_WORDS <= len(words) <= _MOST_WORDS and len(plain) >= _SHARE_OF_WORDS * len(words)
