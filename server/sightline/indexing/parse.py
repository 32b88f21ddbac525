"""One file's text in, its chunks and symbols out."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from sightline.indexing.lines import line_cuts
from sightline.languages.table import Language
from sightline.types import Chunk, ParsedFile

TARGET_BYTES = 1000


def parse_file(path: str, text: str, language: Language) -> ParsedFile:
    """Cut a text into chunks that cover every byte of it in order, and list its definitions; never raises."""
    source = text.encode("utf-8", "replace")
    starts = [0, *line_cuts(source, 0, len(source), TARGET_BYTES), len(source)]
    newlines = [index for index, byte in enumerate(source) if byte == 10]
    chunks = tuple(
        Chunk(
            text=source[start:end].decode("utf-8"),
            start_byte=start,
            end_byte=end,
            start_line=bisect_right(newlines, start - 1),
            end_line=bisect_right(newlines, max(start, start + len(source[start:end].rstrip()) - 1) - 1),
        )
        for start, end in pairwise(starts)
        if end > start
    )
    return ParsedFile(language=language.id, status="no_grammar", chunks=chunks, symbols=())


def enclosing(text: str, language: Language, start_line: int, end_line: int) -> tuple[int, int]:
    """The lines of the smallest definition around some lines, or the lines themselves."""
    return start_line, end_line
