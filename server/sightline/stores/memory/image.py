"""The memory index on disk: one file of arrays that is memory-mapped at the next start."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sightline.arrays import Floats, Integers
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.database import CatalogState
from sightline.stores.catalog.vocabulary import Vocabulary
from sightline.stores.memory import snapshot
from sightline.stores.memory.chunk_slots import sorted_table
from sightline.stores.memory.memory_index import MemoryIndex, SavedState
from sightline.stores.memory.snapshot import Arrays, Snapshot, below, prefixed
from sightline.stores.memory.stored_terms import MappedTerms, term_arrays
from sightline.stores.vectors.matrix import Matrix
from sightline.stores.vectors.vector_space import VectorSpace

# Increase it when the meaning of the arrays changes.
_FORMAT = 8
_NAME = "memory-{}.snapshot"
# Also matches other formats, and temporary files that a killed process left behind.
_ANY = "*.snapshot*"
# With more of its symbols replaced than this share, a snapshot has become slow to open.
_MOST_REPLACED = 0.5
# Vectors that are decoded at a time.
_VECTOR_BLOCK = 1 << 11


def save_image(memory: MemoryIndex, folder: Path) -> bool:
    """Write a snapshot of what is slow to rebuild, map it in place of the arrays, and remove older ones.

    Returns whether the new file can be read; if not, the older ones are kept.
    """
    # Never overwrite an existing file: Windows does not allow replacing a mapped file.
    path = folder / _NAME.format(time.time_ns())
    with memory.guard.reading():
        memory.paths.follow(memory.files)
        snapshot.write(path, _meta(memory), _arrays(memory))
    found = snapshot.read(path)
    if found is None:
        return False
    # All numbers (slots, files, names) are the same, so data derived from them stays valid.
    with memory.guard.writing():
        _use(memory, found)
        memory.saved = replace(memory.saved, checked=True)
    _remove_others(folder, path)
    return True


def is_outdated(memory: MemoryIndex, rows: int, share: float) -> bool:
    """Whether more was added since the last snapshot than `rows` rows and this share, or symbols replaced."""
    saved, model = memory.saved, memory.space.model if memory.space else ""
    grown = max(memory.rows.size - saved.rows, memory.embedded() - saved.embedded)
    # Chunks of files that are parsed again may keep their rows; their symbols get new ones.
    replaced = memory.symbols.columns.size - saved.symbols > _MOST_REPLACED * memory.symbols.live
    return saved.model != model or replaced or grown > max(rows, memory.live * share)


def is_damaged(memory: MemoryIndex) -> bool:
    """Whether the mapped snapshot differs from what was written; checked only once."""
    saved = memory.saved
    if not saved.checked and saved.path is not None:
        damaged = not snapshot.is_intact(saved.path)
        memory.saved = replace(saved, checked=True, damaged=damaged)
    return memory.saved.damaged


def open_image(catalog: Catalog, folder: Path) -> MemoryIndex | None:
    """The memory index from the newest usable snapshot, with its vectors; None if there is none."""
    for path in _newest_first(folder):
        found = snapshot.read(path)
        if found is not None and _fits(found.meta, catalog.state):
            memory = MemoryIndex(catalog)
            memory.generation = found.meta["generation"]
            _use(memory, found)
            return memory
    return None


def newest_image(folder: Path) -> Path | None:
    """The newest snapshot, usable or not."""
    return next(_newest_first(folder), None)


def image_vectors(folder: Path) -> Iterator[tuple[str, Integers, Floats]]:
    """The model, keys and vectors of the newest intact snapshot, in blocks.

    A key stands for a text, so the vectors are valid for any catalog.
    """
    for path in _newest_first(folder):
        found = snapshot.read(path)
        if found is None or found.meta.get("format") != _FORMAT or not snapshot.is_intact(path):
            continue
        if found.meta["space"]:
            yield from _keyed_vectors(found, "rows", "chunk_vectors", found.meta["rows"])
            yield from _keyed_vectors(found, "files.rows", "file_vectors", found.meta["files"])
        return


def copy_image(source: Path, origin: CatalogState, catalog: Catalog, target: Path) -> bool:
    """Copy the snapshot in the folder of another catalog to that of its copy; return whether one fitted.

    `origin` is the state that was copied: a snapshot of a later one has chunks that the copy does not know.
    """
    newest = newest_image(source)
    found = snapshot.read(newest) if newest else None
    if newest is None or found is None or not _fits(found.meta, origin):
        return False
    return snapshot.copy(newest, target / _NAME.format(time.time_ns()), {"birth": catalog.state.birth})


def drop_stale_images(catalog: Catalog, folder: Path) -> None:
    """Remove snapshots of another catalog, or of a state lost in a crash: their ids mean other chunks."""
    for path in folder.glob(_ANY):
        if path.suffix != ".snapshot" or not _is_of(path, catalog):
            with suppress(OSError):
                path.unlink()


def _keyed_vectors(
    found: Snapshot, table: str, vectors: str, size: int
) -> Iterator[tuple[str, Integers, Floats]]:
    model, dim = found.meta["space"]
    rows, matrix = below(table, found.arrays), Matrix(dim)
    matrix.use(below(vectors, found.arrays), size)
    usable = np.flatnonzero(rows["alive"][:size] & rows["embedded"][:size])
    for start in range(0, len(usable), _VECTOR_BLOCK):
        slots = usable[start : start + _VECTOR_BLOCK]
        yield model, rows["key"][slots], matrix.get(slots)


def _newest_first(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.glob(_NAME.format("*")), reverse=True)


def _remove_others(folder: Path, kept: Path) -> None:
    for path in folder.glob(_ANY):
        if path != kept:
            # A file that another process has mapped is removed the next time.
            with suppress(OSError):
                path.unlink()


def _is_of(path: Path, catalog: Catalog) -> bool:
    """Whether a snapshot can be used; it is no longer mapped afterwards."""
    found = snapshot.read(path)
    return found is not None and _fits(found.meta, catalog.state)


def _fits(meta: Mapping[str, Any], state: CatalogState) -> bool:
    same = meta.get("format") == _FORMAT and meta.get("birth") == state.birth
    return same and meta["generation"] <= state.generation


def _meta(memory: MemoryIndex) -> dict[str, Any]:
    space = memory.space
    return {
        "format": _FORMAT,
        "birth": memory.catalog.state.birth,
        "generation": memory.generation,
        "epoch": memory.vocabulary.epoch,
        "rows": memory.rows.size,
        "files": len(memory.files),
        "symbols": memory.symbols.columns.size,
        "paths": memory.paths.sizes(),
        "space": [space.model, space.dim] if space else None,
    }


def _arrays(memory: MemoryIndex) -> Arrays:
    living = np.flatnonzero(memory.rows["alive"])
    parts: dict[str, Arrays] = {
        "rows": memory.rows.arrays(),
        "names": memory.names.arrays(),
        "files": memory.files.arrays(),
        "places": memory.places.arrays(),
        "symbols": memory.symbols.arrays(),
        "folded": memory.folded.arrays(),
        "letters": memory.letters.arrays(),
        "words": memory.words.arrays(),
        "paths": memory.paths.arrays(),
        "usage": memory.usage.arrays(len(memory.files), memory.vocabulary),
        "keywords": memory.keywords.arrays(),
        "terms": term_arrays(memory.vocabulary),
        "chunks": sorted_table(memory.rows["chunk_id"], living),
        "keys": {"order": memory.keys.sorted_slots()},
    }
    if memory.space:
        parts["chunk_vectors"] = memory.space.chunks.arrays(memory.rows.size)
        parts["file_vectors"] = memory.space.files.arrays(len(memory.files))
    return {name: array for part, arrays in parts.items() for name, array in prefixed(part, arrays).items()}


def _use(memory: MemoryIndex, found: Snapshot) -> None:
    meta, arrays = found.meta, found.arrays
    memory.names.use(below("names", arrays))
    memory.rows.use(below("rows", arrays), meta["rows"])
    memory.live = int(np.count_nonzero(memory.rows["alive"]))
    memory.files.use(below("files", arrays), meta["files"])
    memory.places.use(below("places", arrays), meta["files"])
    memory.symbols.use(below("symbols", arrays), meta["symbols"])
    memory.letters.use(below("letters", arrays), len(memory.names))
    memory.words.use(below("words", arrays), len(memory.names))
    memory.folded.use(below("folded", arrays), len(memory.names))
    memory.paths.use(below("paths", arrays), meta["paths"])
    memory.keywords.use(below("keywords", arrays))
    memory.chunk_slots.use(below("chunks", arrays))
    memory.keys.use(arrays["keys.order"])
    vocabulary = Vocabulary((), meta["epoch"], MappedTerms(below("terms", arrays)))
    memory.catalog.set_vocabulary(vocabulary)
    memory.usage.use(below("usage", arrays), vocabulary)
    model, dim = meta["space"] or ("", 0)
    if model:
        _use_vectors(memory, found, model, dim)
    sizes = memory.rows.size, memory.embedded(), meta["symbols"]
    memory.saved = SavedState(found.path, *sizes, model, found.checked)


def _use_vectors(memory: MemoryIndex, found: Snapshot, model: str, dim: int) -> None:
    if memory.space is None:
        memory.space = VectorSpace(model, dim, Matrix(dim), Matrix(dim))
    memory.space.chunks.use(below("chunk_vectors", found.arrays), found.meta["rows"])
    memory.space.files.use(below("file_vectors", found.arrays), found.meta["files"])
