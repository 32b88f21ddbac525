"""The index of one folder in memory: what a search reads, kept equal to the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, Mask, among, distinct
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.records import (
    AddedChunk,
    ChunkDetails,
    ChunkRow,
    FileChange,
    FileState,
    MovedChunk,
    RemovedChunk,
)
from sightline.stores.catalog.vocabulary import Vocabulary
from sightline.stores.memory.chunk_slots import ChunkSlots, sorted_table
from sightline.stores.memory.columns import Columns
from sightline.stores.memory.file_places import FilePlaces
from sightline.stores.memory.file_table import FileEntry, FileTable
from sightline.stores.memory.folded_names import FoldedNames
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.key_table import KeyTable
from sightline.stores.memory.keywords import Keywords
from sightline.stores.memory.name_letters import NameLetters
from sightline.stores.memory.name_words import NameWords
from sightline.stores.memory.path_table import PathTable
from sightline.stores.memory.read_write_lock import ReadWriteLock
from sightline.stores.memory.symbol_table import FileSymbols, SymbolTable
from sightline.stores.memory.usage import Usage
from sightline.stores.vectors.matrix import Matrix
from sightline.stores.vectors.vector_space import VectorSpace

# The best BM25 parameters for code in the ranking study: length matters little among chunks of similar size.
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
    "branches": np.int32,
    "alive": np.bool_,
    "embedded": np.bool_,
}

# About two megabytes.
MOST_SIGNATURES = 16_000


@dataclass(frozen=True, slots=True)
class SavedState:
    """Which part of a memory index is in a snapshot; its unchanged pages are mapped from there."""

    path: Path | None = None
    rows: int = 0
    embedded: int = 0
    symbols: int = 0
    model: str = ""
    checked: bool = True
    damaged: bool = False


class MemoryIndex:
    """Chunks by slot, files by number, symbols, keywords and vectors; read it under `guard.reading()`."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.guard = ReadWriteLock()
        self.generation = 0
        # The signatures that were read last, by symbol row: new symbols get new rows.
        self._signatures: dict[int, str] = {}
        self.saved = SavedState()
        self.names = names = Interner()
        self.rows = rows = Columns(_ROW_TYPES)
        self.keys = KeyTable(lambda: rows["key"])
        self.files = FileTable(names)
        self.file_rows = self.files.rows
        self.places = FilePlaces(self.files)
        self.symbols = SymbolTable(names)
        self.folded = FoldedNames(names)
        self.letters = NameLetters(names)
        self.words = NameWords(names)
        self.usage = Usage(names, self.symbols)
        self.paths = PathTable()
        self.keywords = Keywords(K1, B)
        self.space: VectorSpace | None = None
        self.live = 0
        self.chunk_slots = ChunkSlots()

    @property
    def vocabulary(self) -> Vocabulary:
        """Every known term with its id."""
        return self.catalog.vocabulary()

    def file_number(self, path: str) -> int | None:
        """The number of an indexed file."""
        return self.files.number(path)

    def slot(self, chunk_id: int) -> int | None:
        """The slot of a chunk."""
        slot = self.chunk_slots.find(chunk_id)
        return slot if slot is not None and self.rows["alive"][slot] else None

    def kind(self, slot: int) -> str:
        """The kind of a slot's chunk."""
        return self.names[self.rows["kind"][slot]]

    def symbol(self, slot: int) -> str:
        """The symbol of a slot's chunk."""
        return self.names[self.rows["symbol"][slot]]

    def span(self, slot: int) -> tuple[int, int]:
        """The first and the last line of a slot's chunk."""
        return int(self.rows["start_line"][slot]), int(self.rows["end_line"][slot])

    def file_of(self, slot: int) -> FileEntry:
        """The file of a slot's chunk."""
        number: int = self.rows["file"][slot]
        return self.files[number]

    def details(self, slots: Sequence[int]) -> dict[int, ChunkDetails]:
        """The details of some chunks that a result shows, by slot; a chunk removed meanwhile is missing."""
        slot_of = dict(zip(self.rows["chunk_id"][slots].tolist(), slots, strict=True))
        return {slot_of[id]: details for id, details in self.catalog.details(list(slot_of)).items()}

    def signatures(self, rows: Iterable[int]) -> dict[int, str]:
        """The signatures of some symbol rows; the one of a symbol replaced meanwhile is missing."""
        if len(self._signatures) > MOST_SIGNATURES:
            self._signatures = {}
        known = self._signatures
        places = {self._stored_place(row): row for row in rows if row not in known}
        if places:
            stored = self.catalog.signatures(list(places))
            for place, (name, signature) in stored.items():
                if name == self.symbols.name(places[place]):
                    known[places[place]] = signature
        return known

    def _stored_place(self, row: int) -> tuple[int, int]:
        """The id of a symbol's file, and the position of the symbol in it."""
        file = int(self.symbols.columns["file"][row])
        return self.files[file].id, row - self.symbols.of_file(file).start

    def dead_rows(self) -> int:
        """How many slots and symbol rows are unused."""
        return self.rows.size + self.symbols.columns.size - self.live - self.symbols.live

    def apply(
        self, changes: Iterable[FileChange], generation: int, vocabulary: Vocabulary | None = None
    ) -> None:
        """Apply what the catalog has just stored; `vocabulary` is given if the ids of terms changed."""
        with self.guard.writing():
            if vocabulary is not None:
                self.catalog.set_vocabulary(vocabulary)
            changes = list(changes)
            self._remove_chunks([gone for change in changes for gone in change.removed])
            for change in changes:
                if change.gone:
                    self._remove_file(change.file)
            self._put([change for change in changes if not change.gone])
            self._index_terms([added for change in changes for added in change.added])
            self.generation = generation

    def switch(self, space: VectorSpace | None, *, filled: bool = False) -> None:
        """Use another set of vectors, which is empty unless `filled` says it has the previous ones."""
        with self.guard.writing():
            self.space = space
            if not filled:
                self.rows["embedded"][:] = False
                self.file_rows["embedded"][:] = False

    def attach(self, keys: Integers, vectors: Floats) -> None:
        """Set the vectors of all chunks and files that wait for one of these keys."""
        if self.space is None or not len(keys):
            return
        order = np.argsort(keys)
        with self.guard.writing():
            for table, store in ((self.rows, self.space.chunks), (self.file_rows, self.space.files)):
                waiting = np.flatnonzero(table["alive"] & ~table["embedded"])
                found, places = _lookup(table["key"][waiting], keys, order)
                store.set(waiting[found], vectors[places])
                table["embedded"][waiting[found]] = True

    def vectors_of(self, keys: Iterable[int]) -> tuple[Integers, Floats]:
        """Those of the keys whose vector a chunk or a file here has, and the vectors."""
        wanted = distinct(np.fromiter(keys, np.int64))
        with self.guard.reading():
            if self.space is None:
                return wanted[:0], np.zeros((0, 0), np.float32)
            slots, numbers = self.keys.slots(wanted), np.flatnonzero(among(self.file_rows["key"], wanted))
            parts = [
                _vectors_at(self.rows, self.space.chunks, slots),
                _vectors_at(self.file_rows, self.space.files, numbers),
            ]
        found, first = np.unique(np.concatenate([part[0] for part in parts]), return_index=True)
        return found, np.concatenate([part[1] for part in parts])[first]

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

    def chunk_keys(self) -> set[int]:
        """The keys of every chunk."""
        with self.guard.reading():
            return set(self.rows["key"][self.rows["alive"]].tolist())

    def embedded(self) -> int:
        """How many chunks have their vector."""
        return int(np.count_nonzero(self.rows["alive"] & self.rows["embedded"]))

    def keys_in_use(self, keys: Iterable[int]) -> set[int]:
        """Those of the keys that a chunk still has."""
        slots = self.keys.slots(keys)
        return set(self.rows["key"][slots[self.rows["alive"][slots]]].tolist())

    def fill(self, files: Iterable[FileState], columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> None:
        """Fill an empty memory index; slots follow the order of the columns, including dead ones."""
        for file in files:
            self.files.add(file)
        self.rows.extend(columns, len(columns["chunk_id"]))
        living = np.flatnonzero(self.rows["alive"])
        self.live = len(living)
        self.chunk_slots.use(sorted_table(self.rows["chunk_id"], living))
        by_file = living[np.lexsort((self.rows["ordinal"][living], self.rows["file"][living]))]
        self.files.put_slots(by_file, self.rows["file"][by_file])

    def _put(self, changes: Sequence[FileChange]) -> None:
        """Add or update files; what is new is written at once for all, as each call of numpy has its cost."""
        rows: list[tuple[int, ...]] = []
        # The chunks of a file are put while its symbols are read.
        self.symbols.replace(self._put_file(change, rows) for change in changes)
        self.rows.extend_rows(rows)
        self.live += len(rows)

    def _put_file(self, change: FileChange, rows: list[tuple[int, ...]]) -> FileSymbols:
        """Put a file and its chunks, of which the new ones are appended to `rows`; returns its symbols."""
        number = self.files.number(change.file.path)
        if number is None:
            number = self.files.add(change.file)
        else:
            self.files.update(number, change.file)
        places = {moved.ordinal: self._move(moved) for moved in change.moved}
        for slot, added in enumerate(change.added, self.rows.size + len(rows)):
            self.chunk_slots.add(added.row.id, slot)
            places[added.row.ordinal] = slot
        rows += [self._row(number, added.row) for added in change.added]
        slots = [places[ordinal] for ordinal in sorted(places)]
        self.files.set_slots(number, slots)
        return number, change.symbols, slots

    def _row(self, number: int, row: ChunkRow) -> tuple[int, ...]:
        """The columns of a new chunk of a file."""
        code = self.names.code
        return (
            row.id,
            number,
            row.ordinal,
            row.start_line,
            row.end_line,
            code(row.kind),
            code(row.symbol),
            code(row.container),
            row.defines,
            row.content,
            row.embed_key,
            row.branches,
            True,
            False,
        )

    def _index_terms(self, fresh: Sequence[AddedChunk]) -> None:
        """Index the terms of the chunks that were put last."""
        if not fresh:
            return
        self.keywords.add_many(
            np.arange(self.rows.size - len(fresh), self.rows.size),
            np.array([len(added.term_ids) for added in fresh], np.int64),
            np.concatenate([added.term_ids for added in fresh]),
            np.concatenate([added.term_counts for added in fresh]),
        )

    def _move(self, place: MovedChunk) -> int:
        slot = self._living_slot(place.id)
        self.rows["ordinal"][slot] = place.ordinal
        self.rows["start_line"][slot] = place.start_line
        self.rows["end_line"][slot] = place.end_line
        return slot

    def _living_slot(self, chunk_id: int) -> int:
        slot = self.slot(chunk_id)
        if slot is None:
            raise KeyError(chunk_id)
        return slot

    def _remove_chunks(self, removed: Iterable[RemovedChunk]) -> None:
        unknown: list[int] = []
        for gone in removed:
            slot = self._living_slot(gone.id)
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
        number = self.files.number(file.path)
        if number is None:
            raise KeyError(file.path)
        self.symbols.remove(number)
        if self.space and self.file_rows["embedded"][number]:
            self.space.files.remove(number)
        self.files.remove(number)


def _vectors_at(table: Columns, matrix: Matrix, places: Integers) -> tuple[Integers, Floats]:
    """The keys and vectors of those rows that are in use and have a vector."""
    usable = places[table["alive"][places] & table["embedded"][places]]
    return table["key"][usable], matrix.get(usable)


def _lookup(wanted: Integers, keys: Integers, order: NDArray[np.intp]) -> tuple[Mask, NDArray[np.intp]]:
    """Which of the wanted keys are among `keys`, and where."""
    places = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    found = keys[order[places]] == wanted
    return found, order[places[found]]
