"""Starts a new index from what another index of the same repository has of equal files.

What is copied counts as unverified: the first walk compares every file by its content, as after an absence.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from sightline.indexing.repository import repository_keys
from sightline.location import all_indexes
from sightline.platforms import replace_file
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.copy_catalog import copy_catalog
from sightline.stores.catalog.database import CatalogState
from sightline.stores.catalog.schema import CatalogDamaged, connect
from sightline.stores.memory.image import copy_image, image_vectors

log = logging.getLogger(__name__)

_KEY = "repository"
# The number of indexes of one repository that are tried; more would only take longer to fail.
_MOST_TRIED = 3
# The last two are what a garbled row raises.
_FAILURES = (OSError, sqlite3.Error, CatalogDamaged, TypeError, ValueError)


def note_repository(catalog: Catalog, root: Path) -> None:
    """Store in the index which repository it belongs to, so that others can find it."""
    keys = " ".join(sorted(repository_keys(root)))
    if keys != (catalog.meta(_KEY) or ""):
        catalog.set_meta(_KEY, keys)


def start_from_sibling(root: Path, catalog: Path) -> bool:
    """Create the missing catalog of a root from a sibling's; return whether there was one."""
    keys = repository_keys(root) if not catalog.exists() else frozenset()
    if not keys:
        return False
    return any(_copy_sibling(sibling, root, catalog) for sibling in _siblings(keys, catalog)[:_MOST_TRIED])


def _siblings(keys: frozenset[str], own: Path) -> list[Path]:
    """The catalogs of the same repository, the one written last first."""
    found = (folder / own.name for folder in all_indexes() if folder != own.parent)
    return sorted((path for path in found if keys & _keys_of(path)), key=_last_written, reverse=True)


def _keys_of(catalog: Path) -> frozenset[str]:
    try:
        with closing(connect(catalog, readonly=True)) as connection:
            rows = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchall()
    except _FAILURES:
        return frozenset()
    return frozenset(str(rows[0][0]).split()) if rows else frozenset()


def _last_written(catalog: Path) -> float:
    return max(_modification_times(catalog, catalog.with_name(f"{catalog.name}-wal")), default=0.0)


def _modification_times(*files: Path) -> Iterator[float]:
    for file in files:
        try:
            yield file.stat().st_mtime
        except OSError:
            continue


def _copy_sibling(sibling: Path, root: Path, catalog: Path) -> bool:
    new = catalog.with_name(f"{catalog.name}.new")

    def is_like(path: str, size: int) -> bool:
        try:
            return os.stat(root / path).st_size == size
        except (OSError, ValueError):
            return False

    try:
        new.unlink(missing_ok=True)
        origin = copy_catalog(sibling, new, is_like)
        # After its catalog: what the sibling deletes from its catalog is in a snapshot by then.
        _copy_memory(sibling.parent, origin, new)
        replace_file(new, catalog)
    except _FAILURES as error:
        log.info("cannot copy the index %s: %s", sibling, error)
        return False
    finally:
        for left in catalog.parent.glob(f"{new.name}*"):
            left.unlink(missing_ok=True)
    return True


def _copy_memory(sibling: Path, origin: CatalogState, new: Path) -> None:
    """Copy the sibling's snapshot, or its vectors if a later state of the sibling is in the snapshot."""
    with closing(Catalog(new)) as catalog:
        if not copy_image(sibling, origin, catalog, new.parent):
            _copy_vectors(sibling, catalog)


def _copy_vectors(sibling: Path, catalog: Catalog) -> None:
    """Add the vectors that the sibling has only in its snapshot."""
    wanted = frozenset(catalog.embed_keys())
    with catalog.writing():
        for model, keys, vectors in image_vectors(sibling):
            rows = vectors.astype(np.float16)
            found = [
                (key, row.tobytes()) for key, row in zip(keys.tolist(), rows, strict=True) if key in wanted
            ]
            catalog.add_vectors(model, [key for key, _ in found], [row for _, row in found])
