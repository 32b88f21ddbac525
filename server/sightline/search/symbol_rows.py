"""Rows of the symbol table as results; the caller must hold the memory index's guard."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sightline.parsed_file import Symbol
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import SymbolHit, SymbolInfo

# The spaces that remain of the line ends inside brackets, and the comma after the last parameter.
_BRACKET_SPACE = re.compile(r"(?<=[(\[]) |,? (?=[)\]])")
_SPACED = ("( ", "[ ", " )", " ]")


def symbol_hit(memory: MemoryIndex, folder: str, row: int, score: float = 1.0) -> SymbolHit:
    """The definition of a row, without its signature."""
    symbols, columns = memory.symbols, memory.symbols.columns
    file = memory.files[columns["file"][row]]
    start_line, end_line = symbols.span(row)
    name_line, name_column = symbols.name_at(row)
    symbol = Symbol(
        name=symbols.name(row),
        kind=symbols.kind(row),
        container=symbols.container(row),
        signature="",
        start_line=start_line,
        end_line=end_line,
        name_line=name_line,
        name_column=name_column,
        chunk=int(memory.rows["ordinal"][columns["slot"][row]]),
    )
    return SymbolHit(folder, file.path, file.language, symbol, score)


def symbol_info(memory: MemoryIndex, row: int) -> SymbolInfo:
    """The symbol of a row, with its signature on one line."""
    symbols, signature = memory.symbols, memory.signatures((row,)).get(row, "")
    return SymbolInfo(symbols.name(row), symbols.kind(row), symbols.container(row), on_one_line(signature))


def on_one_line(signature: str) -> str:
    """A signature that was written over several lines, as it would be written on one."""
    # Most have no such space, and the expression is slow: it is tried at every character.
    return _BRACKET_SPACE.sub("", signature) if any(map(signature.__contains__, _SPACED)) else signature


def nearest_definition(symbols: Iterable[Symbol], known: SymbolInfo | None, line: int) -> Symbol | None:
    """The definition of a known symbol in a text that has changed; of several, the nearest to a line."""
    same = [s for s in symbols if known and (s.name, s.container) == (known.name, known.container)]
    return min(same, key=lambda symbol: abs(symbol.start_line - line), default=None)
