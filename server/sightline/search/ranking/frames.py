"""Finds the frames of a stack trace in the index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sightline.search.query.traces import Frame
from sightline.stores.memory.memory_index import MemoryIndex

# Each further frame outwards is worth this share of the one before it.
_DECAY = 0.8
_MOST = 8


def slots(memory: MemoryIndex, frames: Sequence[Frame]) -> dict[int, float]:
    """By slot, how close its frame is to the innermost frame of the trace that is in the workspace (1)."""
    found: dict[int, float] = {}
    worth = 1.0
    for frame in frames:
        slot = _slot(memory, frame)
        if slot is not None and slot not in found and len(found) < _MOST:
            found[slot] = worth
            worth *= _DECAY
    return found


def _slot(memory: MemoryIndex, frame: Frame) -> int | None:
    """The chunk of a frame: by its function if the file defines it, else by its line."""
    number = _file(memory, frame.path)
    if number is None:
        return None
    symbols = memory.symbols
    named = [
        row
        for row in symbols.named(frame.function)
        if frame.function and int(symbols.columns["file"][row]) == number
    ]
    if named:
        row = min(named, key=lambda each: abs(int(symbols.columns["start_line"][each]) - frame.line))
        first, last = symbols.span(row)
        # Line numbers change between versions, names seldom do.
        line = frame.line - 1 if first <= frame.line - 1 <= last else symbols.name_at(row)[0]
        return _at_line(memory, number, line)
    return _at_line(memory, number, frame.line - 1)


def _file(memory: MemoryIndex, path: str) -> int | None:
    """The file whose path ends with the frame's path, or the reverse; the longest match, if it is unique."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..")]
    for start in range(len(parts)):
        number = memory.file_number("/".join(parts[start:]))
        if number is not None:
            return number
    tail = "/" + "/".join(parts)
    alive = memory.file_rows["alive"]
    ending = [
        number for number, known in enumerate(memory.files.paths()) if known.endswith(tail) and alive[number]
    ]
    return ending[0] if len(ending) == 1 else None


def _at_line(memory: MemoryIndex, number: int, line: int) -> int | None:
    slots = memory.files[number].slots
    if not slots:
        return None
    starts = memory.rows["start_line"][slots]
    return slots[max(0, int(np.searchsorted(starts, line, side="right")) - 1)]
