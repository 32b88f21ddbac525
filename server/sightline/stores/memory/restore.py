"""From the catalog, and a snapshot where it fits, to the index in memory."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.database import BIRTH
from sightline.stores.catalog.schema import CatalogDamaged
from sightline.stores.memory import snapshot
from sightline.stores.memory.keywords import Keywords
from sightline.stores.memory.memory_index import K1, B, MemoryIndex

_KEYWORDS = "keywords.snapshot"
_SLOTS = "slots.snapshot"
# What the catalog calls a column, and the memory index.
_PLACE = {"file_id": "file"} | {
    name: name for name in ("ordinal", "kind", "container", "start_line", "end_line")
}
_CHUNK_COLUMNS = _PLACE | {
    "id": "chunk_id",
    "symbol": "symbol",
    "defines": "defines",
    "content": "content",
    "embed_key": "key",
}
_SYMBOL_COLUMNS = _PLACE | {name: name for name in ("chunk", "name", "name_line", "name_column")}
_NAMES = frozenset({"name", "kind", "symbol", "container"})

Column = NDArray[np.int64]


def load_memory(catalog: Catalog, folder: Path | None) -> MemoryIndex:
    """The index in memory, as the catalog is now; a snapshot that does not fit costs only time."""
    memory = MemoryIndex(catalog)
    with catalog.snapshot() as view:
        _load(memory, view, folder)
        if not catalog.writable:
            # Later the writer may have given ids to other terms.
            catalog.set_vocabulary(view.vocabulary())
    return memory


def _load(memory: MemoryIndex, view: Catalog, folder: Path | None) -> None:
    memory.generation = view.generation
    files = view.files()
    numbers = {file.id: number for number, file in enumerate(files.values())}
    chunks = _columns(memory, view, "chunks", _CHUNK_COLUMNS, numbers)
    known = _read_snapshot(folder, view) if folder else None
    layout = known[1] if known else np.zeros(0, np.int64)
    kept = np.isin(layout, chunks["chunk_id"])
    fresh = np.sort(chunks["chunk_id"][~np.isin(chunks["chunk_id"], layout)])
    memory.fill(files.values(), _placed(chunks, np.concatenate([np.where(kept, layout, -1), fresh])))
    memory.keywords = known[0] if known else Keywords(K1, B)
    memory.keywords.discard(np.flatnonzero((layout >= 0) & ~kept))
    _add_terms(memory, view, fresh.tolist() if kept.any() else None)
    memory.symbols.fill(_placed_symbols(memory, _columns(memory, view, "symbols", _SYMBOL_COLUMNS, numbers)))


def save_snapshot(memory: MemoryIndex, folder: Path) -> None:
    """Write down what takes long to build again; OSError if that is not possible."""
    with memory.guard.reading():
        ids = np.where(memory.rows["alive"], memory.rows["chunk_id"], -1)
        # Tells that two files belong together: a generation may be saved twice, with other slots.
        stamp = time.time_ns()
        memory.keywords.save(folder / _KEYWORDS, stamp)
        meta = {"generation": memory.generation, "stamp": stamp, "birth": memory.catalog.meta(BIRTH)}
        snapshot.write(folder / _SLOTS, meta, {"chunk_id": ids})


def has_snapshot(folder: Path) -> bool:
    """Whether a snapshot has been written."""
    return (folder / _SLOTS).exists()


def drop_stale_snapshot(catalog: Catalog, folder: Path) -> None:
    """Remove a snapshot of another catalog, or of a state a crash took back: its ids mean other chunks."""
    slots = snapshot.read(folder / _SLOTS)
    if slots and not _fits(slots[0], catalog):
        (folder / _SLOTS).unlink(missing_ok=True)


def _read_snapshot(folder: Path, catalog: Catalog) -> tuple[Keywords, NDArray[np.int64]] | None:
    keywords, slots = Keywords.load(folder / _KEYWORDS, K1, B), snapshot.read(folder / _SLOTS)
    if keywords is None or slots is None or keywords[1] != slots[0].get("stamp"):
        return None
    return (keywords[0], slots[1]["chunk_id"]) if _fits(slots[0], catalog) else None


def _fits(meta: Mapping[str, Any], catalog: Catalog) -> bool:
    return meta.get("birth") == catalog.meta(BIRTH) and meta["generation"] <= catalog.generation


def _columns(
    memory: MemoryIndex, catalog: Catalog, table: str, names: Mapping[str, str], numbers: Mapping[int, int]
) -> dict[str, Column]:
    """Columns of the catalog as numbers: names by their code, files by their number, the rest as it is."""
    found: dict[str, Column] = {}
    for source, values in catalog.columns(table, tuple(names)):
        if source in _NAMES:
            found[names[source]] = memory.names.codes(values)
        elif source == "file_id":
            found[names[source]] = np.fromiter(map(numbers.__getitem__, values), np.int64, len(values))
        else:
            found[names[source]] = np.array(values, np.int64)
    return found


def _placed(chunks: Mapping[str, Column], ids: Column) -> dict[str, NDArray[Any]]:
    """The columns in the order of the ids; -1 becomes a dead slot."""
    alive = ids >= 0
    order = np.argsort(chunks["chunk_id"])
    places = order[np.searchsorted(chunks["chunk_id"], ids[alive], sorter=order)]
    columns: dict[str, NDArray[Any]] = {name: np.zeros(len(ids), np.int64) for name in chunks}
    for name, column in chunks.items():
        columns[name][alive] = column[places]
    return columns | {"chunk_id": ids, "alive": alive}


def _placed_symbols(memory: MemoryIndex, symbols: dict[str, Column]) -> dict[str, Column]:
    """The columns by file and in the order of the text, with slots in place of ordinals."""
    file, ordinal, chunk = symbols["file"], symbols.pop("ordinal"), symbols.pop("chunk")
    sizes = np.array([len(entry.slots) for entry in memory.files], np.int64)
    if ((chunk < 0) | (chunk >= sizes[file])).any():
        raise CatalogDamaged("a symbol is in a chunk that its file does not have")
    slots = np.fromiter(chain.from_iterable(entry.slots for entry in memory.files), np.int64)
    symbols["slot"] = slots[(np.cumsum(sizes) - sizes)[file] + chunk]
    order = np.lexsort((ordinal, file))
    return {name: column[order] for name, column in symbols.items()}


def _add_terms(memory: MemoryIndex, catalog: Catalog, ids: Sequence[int] | None) -> None:
    packed = catalog.terms(ids)
    if not packed:
        return
    lengths = np.array([len(blob) // 6 for _, blob in packed], np.int64)
    terms = np.frombuffer(b"".join(blob[: 4 * (len(blob) // 6)] for _, blob in packed), np.uint32)
    # The keyword index has a place for every id up to the highest: a garbled one would ask for gigabytes.
    if len(terms) and terms.max() > catalog.highest_term():
        raise CatalogDamaged("a chunk has a term that is in no vocabulary")
    memory.keywords.add_many(
        np.array([memory.slot(id) for id, _ in packed], np.int64),
        lengths,
        terms,
        np.frombuffer(b"".join(blob[4 * (len(blob) // 6) :] for _, blob in packed), np.uint16),
    )
