"""One file's text in, its chunks and symbols out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from sightline.indexing.parsing.captures import Captures, Definition, Span, collect
from sightline.indexing.parsing.chunk import Labeller, join
from sightline.indexing.parsing.export_macros import blank_export_macros
from sightline.indexing.parsing.fact_captures import facts_of
from sightline.indexing.parsing.line_cuts import line_cuts
from sightline.indexing.parsing.markup import sections
from sightline.indexing.parsing.nesting import arrange
from sightline.indexing.parsing.pieces import TARGET_BYTES, Cutter
from sightline.indexing.parsing.source_text import Text
from sightline.languages.grammars import load_grammar, parse_tree
from sightline.languages.table import LANGUAGES, Language
from sightline.parsed_file import Chunk, ParsedFile, ParseStatus, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

# A notebook may be larger than other files because of its outputs; a broken one would be all text.
_MOST_UNPARSED = 1 << 20
# Everything outside the scripts of a page becomes spaces, so that the scripts keep their offsets.
_OUTSIDE = re.compile(rb"[^\n]")


def parse_file(text: str, language: Language) -> ParsedFile:
    """Cut a text into chunks that cover every byte of it in order, and list its definitions; never raises."""
    if language.strategy == "cells":
        # Imported here: few folders have notebooks.
        from sightline.indexing.parsing.cells import parse_cells

        return parse_cells(text, language, parse_file) or cut_by_lines(text, language)
    source = text.encode("utf-8", "replace")
    if language.strategy == "sections":
        return _assemble(Text.of(source), sections(source, language.id), None, language, "ok")
    grammar = load_grammar(language)
    if grammar is None:
        return ParsedFile(language.id, "no_grammar", _by_lines(source), ())
    tree = parse_tree(grammar, blank_export_macros(source) if language.id == "cpp" else source)
    if tree is None:
        return ParsedFile(language.id, "error", _by_lines(source), ())
    root, lines = tree.root_node, Text.of(source)
    found = collect(grammar, root, lines)
    if found.scripts:
        _add_scripts(found, source)
    return _assemble(lines, found, root, language, _status(root.has_error, found.errors, len(source)))


def cut_by_lines(text: str, language: Language) -> ParsedFile:
    """The result for a text that must not be parsed."""
    return ParsedFile(language.id, "error", _by_lines(text[:_MOST_UNPARSED].encode("utf-8", "replace")), ())


@lru_cache(maxsize=8)
def parse_text(text: str, language: Language) -> ParsedFile:
    """The parsed text, cached because an edited document is requested repeatedly."""
    return parse_file(text, language)


def definitions_in(text: str, language: Language) -> tuple[Symbol, ...]:
    """The definitions of a text."""
    return parse_text(text, language).symbols


def _assemble(
    text: Text, found: Captures, root: Node | None, language: Language, status: ParseStatus
) -> ParsedFile:
    definitions = arrange(found, text, " > " if language.strategy == "sections" else ".")
    labeller = Labeller(text, definitions, found, "block")
    spans = join(Cutter(text.source, definitions, root).cut(), text.source)
    chunks = tuple(labeller.chunk(start, end) for start, end in spans)
    symbols = _symbols_of(text, definitions, chunks)
    return ParsedFile(language.id, status, chunks, symbols, facts_of(text, definitions, found))


def _symbols_of(text: Text, definitions: Sequence[Definition], chunks: Sequence[Chunk]) -> tuple[Symbol, ...]:
    """One symbol per definition, in file order; its chunk is the one that contains its name."""
    starts = [chunk.start_byte for chunk in chunks]
    return tuple([_symbol(text, definition, starts) for definition in definitions])


def _symbol(text: Text, definition: Definition, chunk_starts: Sequence[int]) -> Symbol:
    start, name_start, lines = definition.start, definition.name_start, text.line_starts
    name_line = bisect_right(lines, name_start) - 1
    # By position, which takes half the time of naming the fields: this runs for every name of a folder.
    return Symbol(
        definition.name,
        definition.kind,
        definition.container,
        definition.signature,
        bisect_right(lines, start) - 1,
        bisect_right(lines, max(start, definition.end - 1)) - 1,
        name_line,
        text.column(name_line, name_start),
        bisect_right(chunk_starts, name_start) - 1,
    )


def _by_lines(source: bytes) -> tuple[Chunk, ...]:
    if not source:
        return ()
    cuts = [0, *line_cuts(source, 0, len(source), TARGET_BYTES), len(source)]
    labeller = Labeller(Text.of(source), [], Captures(), "text")
    return tuple(labeller.chunk(start, end) for start, end in pairwise(cuts))


def _add_scripts(found: Captures, source: bytes) -> None:
    """Add what is found in the scripts of a page; the TypeScript parser also reads JavaScript."""
    masked = bytearray(_OUTSIDE.sub(b" ", source))
    for start, end in found.scripts:
        masked[start:end] = source[start:end]
    script = bytes(masked)
    grammar = load_grammar(LANGUAGES["typescript"])
    tree = parse_tree(grammar, script) if grammar else None
    if grammar is None or tree is None:
        return
    inner = collect(grammar, tree.root_node, Text.of(script))
    found.definitions += inner.definitions
    found.comments += inner.comments
    found.calls = sorted(found.calls + inner.calls)
    found.imports = sorted(found.imports + inner.imports)
    found.branches = sorted(found.branches + inner.branches)
    found.relations += inner.relations


def _status(has_error: bool, errors: list[Span], size: int) -> ParseStatus:
    """The parse status: an error if more than half of the bytes are inside errors, partial if any are."""
    broken, reached = 0, 0
    for start, end in sorted(errors):
        broken += max(0, end - max(start, reached))
        reached = max(reached, end)
    if 2 * broken > size:
        return "error"
    return "partial" if has_error else "ok"
