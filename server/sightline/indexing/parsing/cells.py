"""Parses a notebook's cells, each with the parser of its language; lines are those of the file."""

from __future__ import annotations

import re
from collections.abc import Callable

from sightline.indexing.parsing.notebook import Cell, Notebook, read_notebook
from sightline.languages.table import LANGUAGES, TEXT, Language, resolve
from sightline.parsed_file import Chunk, ParsedFile, ParseStatus, Symbol

Parse = Callable[[str, Language], ParsedFile]

# IPython's commands are not Python; as comments they leave the rest of the cell parsable.
_COMMAND = re.compile(r"^([ \t]*)[%!]", re.MULTILINE)
_CELL_MAGIC = re.compile(r"%%(\w+)")


def parse_cells(text: str, language: Language, parse: Parse) -> ParsedFile | None:
    """The code and prose of a notebook, without outputs; None if the text is not a notebook."""
    notebook = read_notebook(text)
    if notebook is None:
        return None
    chunks: list[Chunk] = []
    symbols: list[Symbol] = []
    heading, bytes_before = "", 0
    whole = True
    for cell in notebook.cells:
        if not cell.text.strip():
            continue
        source = _source(cell, notebook)
        parsed = parse(*source)
        symbols += [_placed_symbol(each, cell, notebook, text, len(chunks)) for each in parsed.symbols]
        chunks += [_placed_chunk(each, cell, heading, bytes_before) for each in parsed.chunks]
        bytes_before += len(source[0].encode("utf-8", "replace"))
        heading = parsed.symbols[-1].name if cell.kind == "markdown" and parsed.symbols else heading
        whole = whole and parsed.status in ("ok", "no_grammar")
    status: ParseStatus = "ok" if whole else "partial"
    return ParsedFile(language.id, status, tuple(chunks), tuple(symbols))


def _source(cell: Cell, notebook: Notebook) -> tuple[str, Language]:
    """The text of a cell as its parser needs it, and its language."""
    if cell.kind != "code":
        return cell.text, LANGUAGES["markdown"] if cell.kind == "markdown" else TEXT
    magic = _CELL_MAGIC.match(cell.text)
    names = (magic[1] if magic else "", cell.language, notebook.language, "python")
    language = next(found for name in names if name and (found := resolve(name)))
    return (_COMMAND.sub(r"\1#", cell.text) if language.id == "python" else cell.text), language


def _placed_chunk(chunk: Chunk, cell: Cell, heading: str, bytes_before: int) -> Chunk:
    """A chunk of a cell, placed in the file; code without a name is named after the heading above it."""
    container = heading if cell.kind == "code" and not chunk.symbol else chunk.container
    return chunk._replace(
        start_byte=chunk.start_byte + bytes_before,
        end_byte=chunk.end_byte + bytes_before,
        start_line=_line(cell, chunk.start_line),
        end_line=_line(cell, chunk.end_line),
        container=container,
    )


def _placed_symbol(symbol: Symbol, cell: Cell, notebook: Notebook, text: str, chunks_before: int) -> Symbol:
    named = cell.lines[symbol.name_line]
    return symbol._replace(
        start_line=_line(cell, symbol.start_line),
        end_line=_line(cell, symbol.end_line),
        name_line=named.line,
        name_column=notebook.column_of(text, named, symbol.name_column),
        chunk=symbol.chunk + chunks_before,
    )


def _line(cell: Cell, line: int) -> int:
    return cell.lines[min(line, len(cell.lines) - 1)].line
