"""Builds the index in memory from the catalog, and from a snapshot if one fits."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.schema import CatalogDamaged
from sightline.stores.memory.image import open_image
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.replication import follow

log = logging.getLogger(__name__)

# The name of a column in the catalog, and in the memory index.
_PLACE = {"file_id": "file"} | {
    name: name for name in ("ordinal", "kind", "container", "start_line", "end_line")
}
_CHUNK_COLUMNS = _PLACE | {
    "id": "chunk_id",
    "symbol": "symbol",
    "defines": "defines",
    "content": "content",
    "embed_key": "key",
    "branches": "branches",
}
_SYMBOL_COLUMNS = _PLACE | {name: name for name in ("chunk", "name", "name_line", "name_column")}
_NAMES = frozenset({"name", "kind", "symbol", "container"})

Column = Integers


def load_memory(catalog: Catalog, folder: Path | None) -> MemoryIndex:
    """The index in memory, equal to the current catalog; an unusable snapshot only costs time."""
    memory = open_image(catalog, folder) if folder else None
    if memory is not None and _caught_up(memory):
        return memory
    memory = MemoryIndex(catalog)
    # The cached vocabulary may come from a snapshot that turned out to be damaged.
    catalog.forget_vocabulary()
    with catalog.snapshot() as view:
        _load(memory, view)
        if not catalog.writable:
            # Later the writer may have reused ids for other terms.
            catalog.set_vocabulary(view.vocabulary())
    return memory


def _caught_up(memory: MemoryIndex) -> bool:
    """Whether the changes since the snapshot could be applied."""
    try:
        follow(memory)
    except (LookupError, ValueError, TypeError) as error:
        # A rebuild from the catalog may work; if the catalog itself is inconsistent, the rebuild shows it.
        log.warning("the snapshot %s does not fit its catalog: %r", memory.saved.path, error)
        return False
    return True


def _load(memory: MemoryIndex, view: Catalog) -> None:
    memory.generation = view.generation
    files = view.files()
    numbers = {file.id: number for number, file in enumerate(files.values())}
    chunks = _columns(memory, view, "chunks", _CHUNK_COLUMNS, numbers)
    order = np.argsort(chunks["chunk_id"])
    columns: dict[str, NDArray[Any]] = {name: column[order] for name, column in chunks.items()}
    memory.fill(files.values(), columns | {"alive": np.ones(len(order), np.bool_)})
    _add_terms(memory, view)
    memory.symbols.fill(_placed_symbols(memory, _columns(memory, view, "symbols", _SYMBOL_COLUMNS, numbers)))


def _columns(
    memory: MemoryIndex, catalog: Catalog, table: str, names: Mapping[str, str], numbers: Mapping[int, int]
) -> dict[str, Column]:
    """Columns of the catalog as numbers: names as their code, files as their number, the rest unchanged."""
    found: dict[str, Column] = {}
    for source, values in catalog.columns(table, tuple(names)):
        if source in _NAMES:
            found[names[source]] = memory.names.codes(values)
        elif source == "file_id":
            found[names[source]] = np.fromiter(map(numbers.__getitem__, values), np.int64, len(values))
        else:
            found[names[source]] = np.array(values, np.int64)
    return found


def _placed_symbols(memory: MemoryIndex, symbols: dict[str, Column]) -> dict[str, Column]:
    """The columns ordered by file and position in the text, with slots instead of ordinals."""
    file, ordinal, chunk = symbols["file"], symbols.pop("ordinal"), symbols.pop("chunk")
    slots_of = [memory.files.slots(number) for number in range(len(memory.files))]
    sizes = np.array([len(slots) for slots in slots_of], np.int64)
    if ((chunk < 0) | (chunk >= sizes[file])).any():
        raise CatalogDamaged("a symbol is in a chunk that its file does not have")
    slots = np.fromiter(chain.from_iterable(slots_of), np.int64)
    symbols["slot"] = slots[(np.cumsum(sizes) - sizes)[file] + chunk]
    order = np.lexsort((ordinal, file))
    return {name: column[order] for name, column in symbols.items()}


def _add_terms(memory: MemoryIndex, catalog: Catalog) -> None:
    packed = catalog.terms()
    if not packed:
        return
    lengths = np.array([len(blob) // 6 for _, blob in packed], np.int64)
    terms = np.frombuffer(b"".join(blob[: 4 * (len(blob) // 6)] for _, blob in packed), np.uint32)
    # The keyword index allocates an entry for every id up to the highest: a corrupt id would cost gigabytes.
    if len(terms) and terms.max() > catalog.highest_term():
        raise CatalogDamaged("a chunk has a term that is in no vocabulary")
    memory.keywords.add_many(
        np.array([memory.slot(id) for id, _ in packed], np.int64),
        lengths,
        terms,
        np.frombuffer(b"".join(blob[4 * (len(blob) // 6) :] for _, blob in packed), np.uint16),
    )
