"""The input and output of every optional stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeVar

from sightline.arrays import Floats, Integers
from sightline.search.query.prepared_query import PreparedQuery
from sightline.search.ranking.constants import Tuning
from sightline.search.ranking.pipeline import Ranking, ordered
from sightline.search.results.page import Page, reach
from sightline.search.trace import StageLog
from sightline.stores.memory.file_table import FileEntry
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import ReadSource


class StageInput(NamedTuple):
    """The input of a stage: the index under its guard, the constants, the query, and how to read a file."""

    memory: MemoryIndex
    tuning: Tuning
    query: PreparedQuery
    read_source: ReadSource
    log: StageLog

    @property
    def reach(self) -> int:
        """How far down the ranking the requested page reaches."""
        return reach(self.query.request)


T = TypeVar("T", Ranking, Page)
# Returns what it is given with another order, other scores or fewer places.
Stage = Callable[[T, StageInput], T]


def rescored(ranking: Ranking, scores: Floats) -> Ranking:
    """The ranking with new scores, sorted by them."""
    return replace(ranking, scores=scores, order=ordered(ranking.candidates, scores))


def place_texts(inputs: StageInput, slots: Integers) -> list[str]:
    """The texts of some places; empty where the file is no longer the indexed one, so lines do not fit."""
    names = "file", "start_line", "end_line"
    columns = [inputs.memory.rows[name].take(slots).tolist() for name in names]
    lines = {file: _indexed_lines(inputs, inputs.memory.files[file]) for file in dict.fromkeys(columns[0])}
    return ["\n".join(lines[file][start : end + 1]) for file, start, end in zip(*columns, strict=True)]


def _indexed_lines(inputs: StageInput, file: FileEntry) -> list[str]:
    source = inputs.read_source(file.path)
    return source.lines if source and source.digest == file.digest else []
