"""Keeps a memory index equal to a catalog that another process writes."""

from __future__ import annotations

import sqlite3

from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.records import (
    AddedChunk,
    ChunkRow,
    FileChange,
    FileState,
    MovedChunk,
    RemovedChunk,
)
from sightline.stores.catalog.vocabulary import unpack
from sightline.stores.memory.memory_index import MemoryIndex


def follow(memory: MemoryIndex) -> bool:
    """Apply what changed in the catalog since the last call; returns whether anything did."""
    catalog = memory.catalog
    if catalog.generation == memory.generation:
        return False
    # A consistent view: the writer continues meanwhile.
    with catalog.snapshot() as view:
        generation = view.generation
        if generation < memory.generation:
            raise sqlite3.OperationalError("the catalog went back to an older state")
        vocabulary = view.terms_since(catalog.vocabulary())
        files = view.files_since(memory.generation)
        changes = [_change(memory, view, file) for file in files]
        again = {file.path for file in files}
        changes += [_gone(memory, number) for number in _numbers_gone(memory, view, again)]
    memory.apply(changes, generation, vocabulary)
    return True


def _change(memory: MemoryIndex, catalog: Catalog, file: FileState) -> FileChange:
    rows = [ChunkRow(*row) for row in catalog.rows(file.id)]
    number = memory.file_number(file.path)
    before = _chunk_ids(memory, number) if number is not None else set()
    fresh = [row for row in rows if row.id not in before]
    terms = {id: unpack(blob) for id, blob in catalog.terms([row.id for row in fresh])}
    return FileChange(
        file=file,
        added=tuple(AddedChunk(row, *terms[row.id]) for row in fresh),
        moved=tuple(
            MovedChunk(row.id, row.ordinal, row.start_line, row.end_line) for row in rows if row.id in before
        ),
        removed=tuple(RemovedChunk(id) for id in sorted(before - {row.id for row in rows})),
        symbols=tuple(catalog.symbols_of(file.id)),
    )


def _gone(memory: MemoryIndex, number: int) -> FileChange:
    entry = memory.files[number]
    state = FileState(entry.id, entry.path, b"", 0, 0, entry.language, "ok", "", 0)
    removed = tuple(RemovedChunk(id) for id in sorted(_chunk_ids(memory, number)))
    return FileChange(state, (), (), removed, (), gone=True)


def _numbers_gone(memory: MemoryIndex, catalog: Catalog, again: set[str]) -> list[int]:
    ids = catalog.file_ids()
    entries = ((number, memory.files[number]) for number in memory.files.numbers())
    return [number for number, entry in entries if entry.id not in ids and entry.path not in again]


def _chunk_ids(memory: MemoryIndex, number: int) -> set[int]:
    return {int(memory.rows["chunk_id"][slot]) for slot in memory.files[number].slots}
