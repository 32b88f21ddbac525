"""Grammars and their compiled queries, loaded once per process; parsers and cursors, one per thread."""

from __future__ import annotations

import logging
import re
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sightline.languages.table import Language
from sightline.wordlist import words

if TYPE_CHECKING:
    from tree_sitter import Language as TreeSitterLanguage
    from tree_sitter import Node, Parser, Query, QueryCursor, Tree

    Match = tuple[int, dict[str, list[Node]]]

_LOG = logging.getLogger(__name__)
_QUERIES = Path(__file__).parent / "queries"
# Ordinary code parses at megabytes per second: a file that takes this long is not ordinary code.
_TIME_LIMIT_SECONDS = 0.7
# tree-sitter 0.26 has no such limit, hence 0.25.
_SLICE_MICROS = 50_000
# By the clock, for a text that was parsed within the limit before: only a very busy machine takes longer.
_AT_ONCE_MICROS = 30_000_000
# Patterns in progress at one time; only pathological nesting needs more than a few dozen.
_MATCH_LIMIT = 1024
# tree-sitter counts the depth of a match in 16 bits: beyond 65,535 levels it would loop forever.
_MAX_DEPTH = 10_000
# A query's cost is quadratic in the tokens of one ERROR node.
_MAX_ERROR_TOKENS = 2000
_MAX_ERROR_NODES = 5000
# Hundreds of open brackets and none closed: some parsers take hours at the end of such a text.
_OPEN_LIMIT = 250
_BRACKETS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<", b">"))
_NESTING = re.compile(rb"(?:[\w.,:$@#\s]{0,24}[(\[{<]){%d}" % _OPEN_LIMIT)
# Unterminated comments: at each of them the lexer of C reads to the end of the text again.
_OPEN_COMMENTS = 100
# The scanner of YAML overflows its buffer at 256 levels; a column opens at most two.
_DEEP_YAML = re.compile(rb"^(?:[ \t?:-]|[&!]\S{0,40}[ \t]){100}", re.MULTILINE)
_ERRORS = "\n(ERROR) @error\n"
# Words that decide, repeat or end something; a grammar has those of its language as tokens.
_BRANCHING = words(
    "if elif elsif elseif else unless guard switch select case match when for foreach while until loop "
    "repeat try catch except rescue return throw raise yield await"
)


class Grammar(NamedTuple):
    """A grammar with the query that is run on its trees; threads may share it."""

    name: str
    language: TreeSitterLanguage
    query: Query


@cache
def load_grammar(language: Language) -> Grammar | None:
    """The grammar and query of a language, or None if its files are split by lines."""
    if language.grammar is None:
        return None
    from tree_sitter import Query, QueryError
    from tree_sitter_language_pack import get_language

    try:
        grammar = get_language(language.grammar)
        query = query_source(language.query) + _ERRORS + _branches(grammar)
        return Grammar(language.id, grammar, Query(grammar, query))
    except (LookupError, OSError, QueryError) as problem:
        # A wheel for another platform or version may lack a grammar: that language is then split by lines.
        _LOG.warning("no grammar for %s: %s", language.name, problem)
        return None


def _branches(grammar: TreeSitterLanguage) -> str:
    """A pattern for the branching words that a grammar has; words in comments and texts are no tokens."""
    known = [f'"{word}"' for word in sorted(_BRANCHING) if grammar.id_for_node_kind(word, False)]
    return f"[{' '.join(known)}] @branch\n" if known else ""


def query_source(name: str) -> str:
    """The text of a query file."""
    return (_QUERIES / f"{name}.scm").read_text("utf-8")


class _ThreadParsers(threading.local):
    """The parsers and cursors of one thread: threads must not share them."""

    def __init__(self) -> None:
        self.parsers: dict[str, Parser] = {}
        self.cursors: dict[str, QueryCursor] = {}


_WORKERS = _ThreadParsers()


def parse_tree(grammar: Grammar, source: bytes) -> Tree | None:
    """The syntax tree of a text, or None if parsing or querying it would take too long."""
    if _is_hostile(grammar, source):
        return None
    tree = _parse_within_limit(grammar, source)
    return None if tree is None or _has_too_many_errors(tree.root_node) else tree


def _is_hostile(grammar: Grammar, source: bytes) -> bool:
    """Whether a text is known to hang or crash a parser; a running parser cannot be stopped then."""
    if grammar.name == "yaml" and _DEEP_YAML.search(source):
        return True
    # A comment without a line end at the end of the text: the scanner waits for the line end forever.
    if grammar.name == "perl" and b"#" in source[source.rfind(b"\n") + 1 :]:
        return True
    # Only comments opened after the last `*/` are unterminated; `/*` inside a comment has no effect.
    if source.count(b"/*", source.rfind(b"*/") + 1) >= _OPEN_COMMENTS:
        return True
    unclosed = any(_are_unclosed(source, *brackets) for brackets in _BRACKETS)
    return unclosed and _NESTING.search(source) is not None


def _are_unclosed(source: bytes, opening: bytes, closing: bytes) -> bool:
    opened = source.count(opening)
    return opened >= _OPEN_LIMIT and opened - source.count(closing) >= _OPEN_LIMIT


def _parser(grammar: Grammar) -> Parser:
    """This thread's parser of a grammar, which stops after a slice of time."""
    parser = _WORKERS.parsers.get(grammar.name)
    if parser is None:
        from tree_sitter import Parser

        parser = _WORKERS.parsers[grammar.name] = Parser(grammar.language, timeout_micros=_SLICE_MICROS)
    return parser


def _parse_within_limit(grammar: Grammar, source: bytes) -> Tree | None:
    """Parse in slices of time until the limit; the limit is in processor time, a slice is by the clock.

    By the clock, it would depend on the load of the machine whether a file is parsed. A callback that reads
    the text could stop the parser too, but the binding never frees what such a callback returns.
    """
    parser, stopped = _parser(grammar), False
    deadline = time.thread_time() + _TIME_LIMIT_SECONDS
    while time.thread_time() <= deadline:
        # The next call continues where this one was stopped.
        with suppress(ValueError):
            tree = parser.parse(source)
            return _parse_at_once(grammar, source) if stopped and tree.root_node.has_error else tree
        stopped = True
    parser.reset()
    return None


def _parse_at_once(grammar: Grammar, source: bytes) -> Tree | None:
    """Parse a text with errors again, because the recovery from them depends on where the parser was stopped.

    The same text must have the same tree, however busy the machine is.
    """
    from tree_sitter import Parser

    with suppress(ValueError):
        return Parser(grammar.language, timeout_micros=_AT_ONCE_MICROS).parse(source)
    return None


def _has_too_many_errors(root: Node) -> bool:
    """Whether the errors of a tree are so large or so many that querying it is not worth the time."""
    if not root.has_error:
        return False
    pending = [root]
    for _ in range(_MAX_ERROR_NODES):
        if not pending:
            return False
        node = pending.pop()
        if node.is_error and node.child_count > _MAX_ERROR_TOKENS:
            return True
        if node.end_byte - node.start_byte > _MAX_ERROR_TOKENS:
            pending.extend(child for child in node.children if child.has_error)
    return True


def find_matches(grammar: Grammar, root: Node) -> list[Match]:
    """Every match of the grammar's query below a node; one pass over the tree finds all patterns."""
    cursor = _WORKERS.cursors.get(grammar.name)
    if cursor is None:
        from tree_sitter import QueryCursor

        cursor = _WORKERS.cursors[grammar.name] = QueryCursor(grammar.query, match_limit=_MATCH_LIMIT)
        cursor.set_max_start_depth(_MAX_DEPTH)
    return cursor.matches(root)
