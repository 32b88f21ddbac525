"""Finds the places that contain a text: reads the candidate files, within a time limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sightline.arrays import Mask
from sightline.errors import stop_if
from sightline.languages.table import LANGUAGES
from sightline.search.query.filters import allowed
from sightline.search.query.text_patterns import TextPattern
from sightline.search.results.places import whole_definitions
from sightline.search.results.readable import ReadableText
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import Filters, ReadSource, Source, TextMatches

Span = tuple[int, int]

# Far more than a project of ten thousand files needs; a user who waits longer narrows the search.
SECONDS = 3.0


class _File(NamedTuple):
    """A file that may contain the text: its chunks by lines and symbols, and its digest when indexed."""

    language: str
    chunks: tuple[tuple[Span, str], ...]
    # The lines of the function that a chunk is a piece of, by the chunk's first line.
    wholes: dict[int, Span]
    digest: bytes


class MatchingChunks(NamedTuple):
    """The chunks that contain all texts, and a message if not every file could be read in time."""

    matches: TextMatches
    note: str = ""


@dataclass(frozen=True, slots=True)
class TextFilter:
    """Searches the current files of one folder for texts; open files as the editor has them."""

    memory: MemoryIndex
    clock: Callable[[], float] = field(default=time.monotonic)

    def find(
        self,
        patterns: Sequence[TextPattern],
        filters: Sequence[Filters],
        read_source: ReadSource,
        open_files: frozenset[str] = frozenset(),
        cancelled: Callable[[], bool] | None = None,
    ) -> MatchingChunks:
        """The chunks that pass the filters and in whose place every pattern matches."""
        paths = self._candidates(patterns, filters, open_files)
        deadline = self.clock() + SECONDS
        starts: dict[str, frozenset[int]] = {}
        for done, path in enumerate(paths):
            stop_if(cancelled)
            if self.clock() > deadline:
                return MatchingChunks(TextMatches(starts), _cut_short(patterns, done, len(paths)))
            source = read_source(path)
            if source is not None and (found := self._matching(path, source, patterns)):
                starts[path] = found
        return MatchingChunks(TextMatches(starts))

    def _candidates(
        self, patterns: Sequence[TextPattern], filters: Sequence[Filters], open_files: frozenset[str]
    ) -> list[str]:
        """The files that may contain the texts: those with all their words, and all open ones."""
        memory = self.memory
        with memory.guard.reading():
            passing = np.zeros(len(memory.files), np.bool_)
            passing[memory.rows["file"][np.flatnonzero(allowed(memory, filters))]] = True
            worded = passing.copy()
            for word in frozenset[str]().union(*(pattern.words for pattern in patterns)):
                worded &= _files_with(memory, word)
            paths = {memory.files[number].path for number in np.flatnonzero(worded).tolist()}
            unsaved = {path for path in open_files if _passes(memory, path, passing)}
        return sorted(paths | unsaved)

    def _matching(self, path: str, source: Source, patterns: Sequence[TextPattern]) -> frozenset[int]:
        """The first lines of a file's matching chunks, as indexed."""
        with self.memory.guard.reading():
            number = self.memory.file_number(path)
            language = self.memory.files[number].language if number is not None else "text"
        readable = ReadableText.of(source, language)
        whole = source.text if readable.notebook is None else "\n".join(readable.lines)
        if not all(pattern.occurs(whole) for pattern in patterns):
            return frozenset()
        with self.memory.guard.reading():
            # A single text lies within one piece of a function; several may lie in different pieces.
            file = _described(self.memory, path, pieces=len(patterns) > 1)
        if file is None:
            return frozenset()
        lines = readable.lines
        if source.digest != file.digest:
            return _in_changed_text(file, source.text, lines, patterns)
        return frozenset(
            span[0]
            for span, _ in file.chunks
            if _all_occur(patterns, lines, span)
            or (span[0] in file.wholes and _all_occur(patterns, lines, file.wholes[span[0]]))
        )


def _passes(memory: MemoryIndex, path: str, passing: Mask) -> bool:
    number = memory.file_number(path)
    return number is not None and bool(passing[number])


def _files_with(memory: MemoryIndex, word: str) -> Mask:
    found = np.zeros(len(memory.files), np.bool_)
    id = memory.vocabulary.get(word)
    if id is not None:
        found[memory.rows["file"][memory.keywords.postings(id)]] = True
    return found


def _described(memory: MemoryIndex, path: str, *, pieces: bool) -> _File | None:
    number = memory.file_number(path)
    state = memory.catalog.file(path)
    if number is None or state is None:
        return None
    entry = memory.files[number]
    spans = [memory.span(slot) for slot in entry.slots]
    rows = whole_definitions(memory, np.array(entry.slots, np.int64)) if pieces else []
    wholes = {
        span[0]: memory.symbols.span(row) for row, span in zip(rows, spans, strict=False) if row is not None
    }
    symbols = (memory.symbol(slot) for slot in entry.slots)
    return _File(entry.language, tuple(zip(spans, symbols, strict=True)), wholes, state.digest)


def _in_changed_text(
    file: _File, text: str, lines: Sequence[str], patterns: Sequence[TextPattern]
) -> frozenset[int]:
    """For a text that differs from the indexed one: the indexed chunks that match its matching chunks."""
    from sightline.indexing.parsing.parse_file import parse_text

    now = parse_text(text, LANGUAGES[file.language]).chunks
    found = [chunk for chunk in now if _all_occur(patterns, lines, (chunk.start_line, chunk.end_line))]
    return frozenset(_nearest(file.chunks, chunk.symbol, chunk.start_line) for chunk in found if file.chunks)


def _nearest(chunks: Iterable[tuple[Span, str]], symbol: str, line: int) -> int:
    """The first line of the nearest chunk of the same symbol; of any symbol if there is none."""
    span, _ = min(chunks, key=lambda each: (each[1] != symbol, abs(each[0][0] - line)))
    return span[0]


def _all_occur(patterns: Sequence[TextPattern], lines: Sequence[str], span: Span) -> bool:
    text = "\n".join(lines[span[0] : span[1] + 1])
    return all(pattern.occurs(text) for pattern in patterns)


def _cut_short(patterns: Sequence[TextPattern], done: int, total: int) -> str:
    wanted = ", ".join(pattern.written for pattern in patterns)
    return (
        f"Only {done} of {total} files were searched for {wanted} in {SECONDS:g} s;"
        " narrow the search by path: or lang:, or add words."
    )
