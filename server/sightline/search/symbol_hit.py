"""A row of the symbol table as a result."""

from __future__ import annotations

from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import Symbol, SymbolHit


def symbol_hit(memory: MemoryIndex, folder: str, row: int, score: float = 1.0) -> SymbolHit:
    """The definition of a row, without its signature; the caller must hold the memory index's guard."""
    symbols, columns = memory.symbols, memory.symbols.columns
    file = memory.files[columns["file"][row]]
    symbol = Symbol(
        name=symbols.name(row),
        kind=symbols.kind(row),
        container=symbols.container(row),
        signature="",
        start_line=int(columns["start_line"][row]),
        end_line=int(columns["end_line"][row]),
        name_line=int(columns["name_line"][row]),
        name_column=int(columns["name_column"][row]),
        chunk=int(memory.rows["ordinal"][columns["slot"][row]]),
    )
    return SymbolHit(folder, file.path, file.language, symbol, score)
