"""The list of a file's definitions, as symbol pickers show it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from sightline.indexing.parsing.captures import Definition
from sightline.indexing.parsing.chunk import Text
from sightline.types import Chunk, Symbol


def symbols_of(text: Text, definitions: Sequence[Definition], chunks: Sequence[Chunk]) -> tuple[Symbol, ...]:
    """One symbol per definition, in file order; its chunk is the one that contains its name."""
    starts = [chunk.start_byte for chunk in chunks]
    return tuple(_symbol(text, definition, starts) for definition in definitions)


def _symbol(text: Text, definition: Definition, chunk_starts: Sequence[int]) -> Symbol:
    name_line = text.line(definition.name_start)
    return Symbol(
        name=definition.name,
        kind=definition.kind,
        container=definition.container,
        signature=definition.signature,
        start_line=text.line(definition.start),
        end_line=text.line(max(definition.start, definition.end - 1)),
        name_line=name_line,
        name_column=len(text.decoded(text.line_starts[name_line], definition.name_start)),
        chunk=bisect_right(chunk_starts, definition.name_start) - 1,
    )
