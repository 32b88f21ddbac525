"""The index of one folder in memory: what a search reads, kept equal to the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.records import (
    AddedChunk,
    ChunkDetails,
    ChunkRow,
    FileChange,
    FileState,
    MovedChunk,
)
from sightline.stores.catalog.vocabulary import Vocabulary
from sightline.stores.memory.columns import Columns
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.keywords import Keywords
from sightline.stores.memory.read_write_lock import ReadWriteLock
from sightline.stores.memory.symbol_table import SymbolTable
from sightline.stores.vectors.vector_space import VectorSpace

# BM25 as the ranking study found it best for code: length matters little among chunks of one size.
K1 = 1.5
B = 0.3

_ROW_TYPES = {
    "chunk_id": np.int64,
    "file": np.int32,
    "ordinal": np.int32,
    "start_line": np.int32,
    "end_line": np.int32,
    "kind": np.int32,
    "symbol": np.int32,
    "container": np.int32,
    "defines": np.bool_,
    "content": np.int64,
    "key": np.int64,
    "alive": np.bool_,
    "embedded": np.bool_,
}
_FILE_TYPES = {"key": np.int64, "alive": np.bool_, "embedded": np.bool_}


@dataclass(slots=True)
class FileEntry:
    """A file in memory; `slots` are those of its chunks, in the order of the text."""

    id: int
    path: str
    language: str
    mtime_ns: int
    slots: list[int] = field(default_factory=list)


class MemoryIndex:
    """Chunks by slot, files by number, symbols, keywords and vectors; read it under `guard.reading()`."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.guard = ReadWriteLock()
        self.generation = 0
        self.names = Interner()
        self.rows = Columns(_ROW_TYPES)
        self.files: list[FileEntry] = []
        self.file_rows = Columns(_FILE_TYPES)
        self.symbols = SymbolTable(self.names)
        self.keywords = Keywords(K1, B)
        self.space: VectorSpace | None = None
        self.live = 0
        self._file_numbers: dict[str, int] = {}
        self._slot_of_chunk: dict[int, int] = {}

    @property
    def vocabulary(self) -> dict[str, int]:
        """Every known term with its id."""
        return self.catalog.vocabulary()

    def file_number(self, path: str) -> int | None:
        """The number of an indexed file."""
        return self._file_numbers.get(path)

    @property
    def live_files(self) -> int:
        """How many files are indexed; the numbers of those that went are not given again."""
        return len(self._file_numbers)

    def file_numbers(self) -> list[int]:
        """The numbers of the indexed files."""
        return list(self._file_numbers.values())

    def slot(self, chunk_id: int) -> int | None:
        """The slot of a chunk."""
        return self._slot_of_chunk.get(chunk_id)

    def kind(self, slot: int) -> str:
        """The kind of a slot's chunk."""
        return self.names[self.rows["kind"][slot]]

    def symbol(self, slot: int) -> str:
        """The symbol of a slot's chunk."""
        return self.names[self.rows["symbol"][slot]]

    def container(self, slot: int) -> str:
        """The container path of a slot's chunk."""
        return self.names[self.rows["container"][slot]]

    def file_of(self, slot: int) -> FileEntry:
        """The file of a slot's chunk."""
        number: int = self.rows["file"][slot]
        return self.files[number]

    def details(self, slots: Sequence[int]) -> dict[int, ChunkDetails]:
        """What an answer shows of some chunks, by slot; a chunk that went meanwhile is missing."""
        slot_of = {int(self.rows["chunk_id"][slot]): slot for slot in slots}
        found = self.catalog.details(list(slot_of))
        return {slot_of[id]: details for id, details in found.items()}

    def dead_rows(self) -> int:
        """How many slots and symbol rows only take up room."""
        return self.rows.size + self.symbols.columns.size - self.live - self.symbols.live

    def apply(
        self, changes: Iterable[FileChange], generation: int, vocabulary: Vocabulary | None = None
    ) -> None:
        """Follow what the catalog has just stored, with other ids of terms if there are."""
        with self.guard.writing():
            if vocabulary is not None:
                self.catalog.set_vocabulary(vocabulary)
            fresh: list[tuple[int, AddedChunk]] = []
            for change in changes:
                self._remove_chunks(change)
                if change.gone:
                    self._remove_file(change.file)
                else:
                    fresh += self._put(change)
            self._index_terms(fresh)
            self.generation = generation

    def switch(self, space: VectorSpace | None) -> None:
        """Answer from another set of vectors, still empty."""
        with self.guard.writing():
            self.space = space
            self.rows["embedded"][:] = False
            self.file_rows["embedded"][:] = False

    def attach(self, keys: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Give their vectors to all chunks and files that wait for one of these keys."""
        if self.space is None or not len(keys):
            return
        order = np.argsort(keys)
        with self.guard.writing():
            for table, store in ((self.rows, self.space.chunks), (self.file_rows, self.space.files)):
                waiting = np.flatnonzero(table["alive"] & ~table["embedded"])
                found, places = _lookup(table["key"][waiting], keys, order)
                store.set(waiting[found], vectors[places])
                table["embedded"][waiting[found]] = True

    def waiting_keys(self) -> set[int]:
        """The keys of chunks and files that have no vector yet."""
        keys: set[int] = set()
        for table in (self.rows, self.file_rows):
            keys.update(table["key"][table["alive"] & ~table["embedded"]].tolist())
        return keys

    def all_keys(self) -> set[int]:
        """The keys of every chunk and file."""
        keys: set[int] = set()
        for table in (self.rows, self.file_rows):
            keys.update(table["key"][table["alive"]].tolist())
        return keys

    def embedded(self) -> int:
        """How many chunks have their vector."""
        return int(np.count_nonzero(self.rows["alive"] & self.rows["embedded"]))

    def keys_in_use(self, keys: Iterable[int]) -> set[int]:
        """Those of the keys that some chunk still has."""
        wanted = np.unique(np.fromiter(keys, np.int64))
        if not len(wanted):
            return set()
        # Only the few are sorted: this runs on every save, and np.isin would sort the whole index.
        _, places = _lookup(self.rows["key"][self.rows["alive"]], wanted, np.arange(len(wanted)))
        return set(wanted[places].tolist())

    def add_file(self, file: FileState) -> int:
        """A new file with no chunks yet; its number."""
        number = self.file_rows.append(key=file.embed_key, alive=True, embedded=False)
        self.files.append(FileEntry(file.id, file.path, file.language, file.mtime_ns))
        self._file_numbers[file.path] = number
        return number

    def add_row(self, number: int, row: ChunkRow) -> int:
        """A new chunk of a file, without its terms; its slot."""
        slot = self.rows.append(
            chunk_id=row.id,
            file=number,
            ordinal=row.ordinal,
            start_line=row.start_line,
            end_line=row.end_line,
            kind=self.names.code(row.kind),
            symbol=self.names.code(row.symbol),
            container=self.names.code(row.container),
            defines=row.defines,
            content=row.content,
            key=row.embed_key,
            alive=True,
            embedded=False,
        )
        self._slot_of_chunk[row.id] = slot
        self.live += 1
        return slot

    def fill(self, files: Iterable[FileState], columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> None:
        """Fill an empty memory index; slots follow the order of the columns, dead ones among them."""
        for file in files:
            self.add_file(file)
        self.rows.extend(columns, len(columns["chunk_id"]))
        living = np.flatnonzero(self.rows["alive"])
        self.live = len(living)
        self._slot_of_chunk.update(zip(self.rows["chunk_id"][living].tolist(), living.tolist(), strict=True))
        by_file = living[np.lexsort((self.rows["ordinal"][living], self.rows["file"][living]))]
        bounds = np.searchsorted(self.rows["file"][by_file], np.arange(len(self.files) + 1)).tolist()
        slots = by_file.tolist()
        for entry, start, end in zip(self.files, bounds, bounds[1:], strict=False):
            entry.slots = slots[start:end]

    def _put(self, change: FileChange) -> list[tuple[int, AddedChunk]]:
        number = self._file_numbers.get(change.file.path)
        if number is None:
            number = self.add_file(change.file)
        self._update_file(number, change.file)
        places = {moved.ordinal: self._move(moved) for moved in change.moved}
        fresh = [(self.add_row(number, added.row), added) for added in change.added]
        places |= {added.row.ordinal: slot for slot, added in fresh}
        self.files[number].slots = [places[ordinal] for ordinal in sorted(places)]
        self.symbols.replace(number, change.symbols, self.files[number].slots)
        return fresh

    def _update_file(self, number: int, file: FileState) -> None:
        entry = self.files[number]
        entry.id, entry.language, entry.mtime_ns = file.id, file.language, file.mtime_ns
        if self.file_rows["key"][number] != file.embed_key:
            self.file_rows["key"][number] = file.embed_key
            self.file_rows["embedded"][number] = False

    def _index_terms(self, fresh: Sequence[tuple[int, AddedChunk]]) -> None:
        if not fresh:
            return
        self.keywords.add_many(
            np.array([slot for slot, _ in fresh], np.int64),
            np.array([len(added.term_ids) for _, added in fresh], np.int64),
            np.concatenate([added.term_ids for _, added in fresh]),
            np.concatenate([added.term_counts for _, added in fresh]),
        )

    def _move(self, place: MovedChunk) -> int:
        slot = self._slot_of_chunk[place.id]
        self.rows["ordinal"][slot] = place.ordinal
        self.rows["start_line"][slot] = place.start_line
        self.rows["end_line"][slot] = place.end_line
        return slot

    def _remove_chunks(self, change: FileChange) -> None:
        unknown: list[int] = []
        for gone in change.removed:
            slot = self._slot_of_chunk.pop(gone.id)
            self.rows["alive"][slot] = False
            if gone.terms:
                self.keywords.remove(slot, *gone.terms)
            else:
                unknown.append(slot)
            if self.space and self.rows["embedded"][slot]:
                self.space.chunks.remove(slot)
            self.live -= 1
        if unknown:
            self.keywords.discard(np.array(unknown, np.int64))

    def _remove_file(self, file: FileState) -> None:
        number = self._file_numbers.pop(file.path)
        self.symbols.remove(number)
        self.files[number].slots = []
        if self.space and self.file_rows["embedded"][number]:
            self.space.files.remove(number)
        self.file_rows["alive"][number] = False


def _lookup(
    wanted: NDArray[np.int64], keys: NDArray[np.int64], order: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Which of the wanted are among the keys, and where."""
    places = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    found = keys[order[places]] == wanted
    return found, order[places[found]]
