"""How the definitions of a file are nested, and which comments and attributes belong to each."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from sightline.indexing.parsing.captures import Captures, Definition, Span
from sightline.indexing.parsing.doc_comments import first_sentence
from sightline.indexing.parsing.source_text import Text

# Deeper nesting exists only in generated or hostile text.
_MAX_DEPTH = 24
_TYPE_KINDS = frozenset({"class", "struct", "interface", "trait", "enum", "impl", "object", "type"})
_MAX_SIGNATURE = 200
_SIGNATURE_WINDOW = 600
# How much white space may be between a comment and what it documents, or before it on its line.
_MAX_GAP = 200
_ADJACENT = re.compile(rb"[^\S\n]*\n?[^\S\n]*")
_LINE_START = re.compile(rb"(?:\A|\n)[^\S\n]*\Z")
_SIGNATURE_STOP = re.compile(rb"[()\[\]{}\n;]")
# The same without nested brackets, which most signatures do not have: found at once it takes a third of the
# time. What follows it must be one of the ends.
_PLAIN_SIGNATURE = re.compile(rb"[^()\[\]{}\n;]*(?:[(\[][^()\[\]{}]*[)\]][^()\[\]{}\n;]*)*")
_ENDS = b"{}\n;"
# Tokens at the end of a line that open a body and are not part of the signature.
_OPENERS = (" do", " is", " begin", " where", " then", ":", ",", " =>", " ->", " =", " :=")


def arrange(found: Captures, text: Text, separator: str) -> list[Definition]:
    """The definitions in order, each with its parent, container and documentation."""
    if not found.definitions:
        return []
    source = text.source
    words = {*found.comments, *found.docs}
    attached = sorted(words.union(found.attributes))
    for definition in found.definitions:
        _extend_back(definition, attached, words, source)
    ordered = _join_clauses(sorted(found.definitions, key=lambda each: (each.start, -each.end)), source)
    definitions = _nest(ordered, separator)
    _inner_docs(definitions, found.docs, source)
    for definition in definitions:
        definition.signature = _signature(definition, text)
    return definitions


def innermost(definitions: list[Definition], starts: list[int], offset: int) -> int:
    """The index of the smallest definition around an offset, or -1."""
    index = bisect_right(starts, offset) - 1
    while index >= 0 and definitions[index].end <= offset:
        index = definitions[index].parent
    return index


def regions(definitions: list[Definition]) -> tuple[list[int], list[int]]:
    """The offsets where the innermost definition changes, and its index before the first and from each on."""
    starts = [definition.start for definition in definitions]
    bounds = sorted({*starts, *[definition.end for definition in definitions]})
    return bounds, [-1, *[innermost(definitions, starts, bound) for bound in bounds]]


def _extend_back(definition: Definition, attached: list[Span], words: set[Span], source: bytes) -> None:
    """Extend a definition back over the comments and attributes directly before it."""
    index = bisect_left(attached, (definition.start, 0)) - 1
    doc_start = doc_end = -1
    while index >= 0:
        start, end = attached[index]
        if end > definition.start or definition.start - end > _MAX_GAP:
            break
        if not _ADJACENT.fullmatch(source, end, definition.start):
            break
        if not _LINE_START.search(source, max(0, start - _MAX_GAP), start):
            break
        definition.start = start
        if (start, end) in words:
            doc_start, doc_end = start, max(end, doc_end)
        index -= 1
    if doc_start >= 0:
        definition.doc = first_sentence(source, doc_start, doc_end)


def _join_clauses(ordered: list[Definition], source: bytes) -> list[Definition]:
    """Join adjacent clauses of one name, as Haskell and Elixir write functions, into one definition."""
    kept: list[Definition] = []
    last: dict[str, Definition] = {}
    for definition in ordered:
        if definition.role == "clause":
            previous = last.get(definition.name)
            if (
                previous
                and previous.end <= definition.start
                and not source[previous.end : definition.start].strip()
            ):
                previous.end = definition.end
                continue
            last[definition.name] = definition
        kept.append(definition)
    return kept


def _nest(ordered: list[Definition], separator: str) -> list[Definition]:
    kept: list[Definition] = []
    stack: list[int] = []
    for definition in ordered:
        while stack and kept[stack[-1]].end <= max(definition.start, definition.head):
            definition.start = max(definition.start, kept[stack.pop()].end)
        parent = stack[-1] if stack else -1
        if parent >= 0 and (definition.start, definition.end) == (kept[parent].start, kept[parent].end):
            parent = kept[parent].parent
        if len(stack) >= _MAX_DEPTH or (parent >= 0 and definition.end > kept[parent].end):
            continue
        _place(definition, parent, kept, separator)
        stack.append(len(kept))
        kept.append(definition)
    return kept


def _place(definition: Definition, parent: int, kept: list[Definition], separator: str) -> None:
    parts = [definition.scope]
    if parent >= 0:
        outer = kept[parent]
        parts = [outer.container, outer.name, definition.scope]
        definition.parent = parent
        if definition.kind == "function" and outer.kind in _TYPE_KINDS:
            definition.kind = "method"
        if definition.kind == "method" and definition.name == outer.name:
            definition.kind = "constructor"
    if definition.kind == "function" and definition.scope:
        definition.kind = "method"
    definition.container = separator.join(filter(None, parts))


def _inner_docs(definitions: list[Definition], docs: list[Span], source: bytes) -> None:
    """Assign a docstring to the definition that contains it, unless that already has a comment before it."""
    starts = [definition.start for definition in definitions]
    for start, end in docs:
        index = innermost(definitions, starts, start)
        if index >= 0 and not definitions[index].doc:
            definitions[index].doc = first_sentence(source, start, end)


def _signature(definition: Definition, text: Text) -> str:
    """The line that introduces a definition, without its body."""
    source, name_start, name_end = text.source, definition.name_start, definition.name_end
    line = source.rfind(b"\n", max(0, name_start - _MAX_SIGNATURE), name_start) + 1
    start = max(line, definition.head, name_start - _MAX_SIGNATURE)
    end = signature_end(source, name_end, min(definition.end, name_end + _SIGNATURE_WINDOW))
    found = " ".join(text.decoded(start, end).split())
    if found.endswith(_OPENERS):
        for opener in _OPENERS:
            found = found.removesuffix(opener)
    return found[:_MAX_SIGNATURE]


def signature_end(source: bytes, start: int, limit: int) -> int:
    """Where a signature ends: at a body, or at the end of a statement outside of brackets."""
    plain = _PLAIN_SIGNATURE.match(source, start, limit)
    if plain and (plain.end() == limit or source[plain.end()] in _ENDS):
        return plain.end()
    depth = 0
    for stop in _SIGNATURE_STOP.finditer(source, start, limit):
        sign = stop.group()
        if sign in b"([":
            depth += 1
        elif sign in b")]":
            depth -= 1
        elif depth <= 0 or sign == b"{":
            return stop.start()
    return limit
