"""From the catalog, and a snapshot where it fits, to the index in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.stores import snapshot
from sightline.stores.catalog import Catalog
from sightline.stores.image import K1, B, Image
from sightline.stores.keywords import Keywords
from sightline.stores.schema import CatalogDamaged

_KEYWORDS = "keywords.snapshot"
_SLOTS = "slots.snapshot"


def load_image(catalog: Catalog, folder: Path | None) -> Image:
    """The index in memory, equal to the catalog; a snapshot that does not fit costs only time."""
    image = Image(catalog)
    image.generation = catalog.generation
    files = catalog.files()
    rows = {row[0]: row for row in catalog.rows()}
    known = _read_snapshot(folder, catalog) if folder else None
    layout = known[1] if known else np.zeros(0, np.int64)
    kept = set(layout.tolist()) & rows.keys()
    fresh = [id for id in rows if id not in kept]
    numbers = {file.id: number for number, file in enumerate(files.values())}
    image.fill(files.values(), _columns(image, rows, [*layout.tolist(), *fresh], numbers))
    image.keywords = known[0] if known else Keywords(K1, B)
    image.keywords.discard(np.flatnonzero((layout >= 0) & ~np.isin(layout, list(kept))))
    _add_terms(image, catalog, fresh if kept else None)
    for file_id, symbols in catalog.symbols().items():
        number = numbers[file_id]
        image.symbols.replace(number, symbols, image.files[number].slots)
    return image


def save_snapshot(image: Image, folder: Path) -> None:
    """Write down what takes long to build again; OSError if that is not possible."""
    with image.guard.reading():
        generation = image.generation
        ids = np.where(image.rows["alive"], image.rows["chunk_id"], -1)
        image.keywords.save(folder / _KEYWORDS, generation)
        meta = {"generation": generation, "birth": image.catalog.meta("birth")}
        snapshot.write(folder / _SLOTS, meta, {"chunk_id": ids})


def drop_stale_snapshot(catalog: Catalog, folder: Path) -> None:
    """Remove a snapshot of another catalog, or of a state a crash took back: its ids mean other chunks."""
    slots = snapshot.read(folder / _SLOTS)
    if slots and not _fits(slots[0], catalog):
        (folder / _SLOTS).unlink(missing_ok=True)


def _read_snapshot(folder: Path, catalog: Catalog) -> tuple[Keywords, NDArray[np.int64]] | None:
    keywords, slots = Keywords.load(folder / _KEYWORDS, K1, B), snapshot.read(folder / _SLOTS)
    if keywords is None or slots is None or keywords[1] != slots[0].get("generation"):
        return None
    return (keywords[0], slots[1]["chunk_id"]) if _fits(slots[0], catalog) else None


def _fits(meta: Mapping[str, Any], catalog: Catalog) -> bool:
    return meta.get("birth") == catalog.meta("birth") and meta["generation"] <= catalog.generation


def _columns(
    image: Image, rows: dict[int, tuple[Any, ...]], layout: Sequence[int], numbers: dict[int, int]
) -> dict[str, NDArray[Any]]:
    """The columns of the image in the order of the layout; ids that are gone become dead slots."""
    dead = (-1, -1, 0, 0, 0, "", "", "", False, 0, 0)
    table = [rows.get(id, dead) for id in layout]
    columns = list(zip(*table, strict=True)) if table else [()] * len(dead)
    code = image.names.code
    names = ("chunk_id", "file", "ordinal", "start_line", "end_line", "kind", "symbol", "container")
    found = {name: columns[position] for position, name in enumerate(names)}
    found["file"] = tuple(numbers[id] if id >= 0 else 0 for id in found["file"])
    for name in ("kind", "symbol", "container"):
        found[name] = tuple(map(code, found[name]))
    found |= {"defines": columns[8], "content": columns[9], "key": columns[10]}
    arrays: dict[str, NDArray[Any]] = {name: np.array(column, np.int64) for name, column in found.items()}
    arrays["alive"] = arrays["chunk_id"] >= 0
    return arrays


def _add_terms(image: Image, catalog: Catalog, ids: Sequence[int] | None) -> None:
    packed = catalog.terms(ids)
    if not packed:
        return
    lengths = np.array([len(blob) // 6 for _, blob in packed], np.int64)
    terms = np.frombuffer(b"".join(blob[: 4 * (len(blob) // 6)] for _, blob in packed), np.uint32)
    # The keyword index has a place for every id up to the highest: a garbled one would ask for gigabytes.
    if len(terms) and terms.max() > catalog.count("terms"):
        raise CatalogDamaged("a chunk has a term that is in no vocabulary")
    image.keywords.add_many(
        np.array([image.slot(id) for id, _ in packed], np.int64),
        lengths,
        terms,
        np.frombuffer(b"".join(blob[4 * (len(blob) // 6) :] for _, blob in packed), np.uint16),
    )
