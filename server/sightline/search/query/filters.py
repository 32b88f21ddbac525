"""Which chunks a query's filters let through."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.search.query.path_globs import name_pattern, path_pattern
from sightline.stores.image import FileEntry, Image
from sightline.types import Filters

Mask = NDArray[np.bool_]

_KEPT = 32


def _file_passes(file: FileEntry, filters: Filters) -> bool:
    if filters.languages and file.language not in filters.languages:
        return False
    if filters.paths and not path_pattern(*filters.paths).fullmatch(file.path):
        return False
    return not path_pattern(*filters.exclude_paths).fullmatch(file.path)


def _by_file(image: Image, filters: Filters) -> Mask:
    passing = np.fromiter((_file_passes(file, filters) for file in image.files), np.bool_, len(image.files))
    by_slot: Mask = passing[image.rows["file"]]
    return by_slot


def _symbol_rows(image: Image, filters: Filters) -> NDArray[np.int64]:
    """The symbols of the wanted kinds and names."""
    columns, rows = image.symbols.columns, image.symbols.alive()
    if filters.kinds:
        codes = [code for kind in filters.kinds if (code := image.names.find(kind)) is not None]
        rows = rows[np.isin(columns["kind"][rows], codes)]
    if filters.name:
        codes = _name_codes(image, columns["name"][rows], filters.name)
        rows = rows[np.isin(columns["name"][rows], codes)]
    return rows


def _name_codes(image: Image, codes: NDArray[np.int32], glob: str) -> list[int]:
    pattern = name_pattern(glob)
    return [int(code) for code in np.unique(codes) if pattern.fullmatch(image.names[code])]


def _by_symbol(image: Image, filters: Filters) -> Mask:
    """Chunks that are of a wanted kind and name, or in which such a definition starts."""
    mask = np.zeros(image.rows.size, np.bool_)
    mask[image.symbols.columns["slot"][_symbol_rows(image, filters)]] = True
    own = np.ones(image.rows.size, np.bool_)
    if filters.kinds:
        own &= np.isin(image.rows["kind"], [image.names.find(kind) or -1 for kind in filters.kinds])
    if filters.name:
        own &= np.isin(image.rows["symbol"], _name_codes(image, image.rows["symbol"], filters.name))
    return mask | own


class Masks:
    """Which slots filters let through; people repeat their filters, so the last masks are kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._generation = -1
        self._masks: dict[tuple[Filters, ...], Mask] = {}

    def allowed(self, image: Image, filters: tuple[Filters, ...]) -> Mask | None:
        """The slots that satisfy every set of filters; None when there is nothing to satisfy."""
        if not filters:
            return None
        with self._lock:
            if self._generation != image.generation or len(self._masks) >= _KEPT:
                self._masks.clear()
                self._generation = image.generation
            known = self._masks.get(filters)
        if known is None:
            known = allowed(image, filters)
            with self._lock:
                if self._generation == image.generation:
                    self._masks[filters] = known
        return known


def allowed(image: Image, filters: Sequence[Filters]) -> Mask:
    """The slots that satisfy every set of filters."""
    mask: Mask = image.rows["alive"].copy()
    for each in filters:
        if each.languages or each.paths or each.exclude_paths:
            mask &= _by_file(image, each)
        if each.kinds or each.name:
            mask &= _by_symbol(image, each)
    return mask
