"""A new catalog from a consistent copy of another one, reduced to the wanted files."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sightline.stores.catalog import schema
from sightline.stores.catalog.database import CatalogState

# No file has this time, so every file is compared by its content.
_UNKNOWN_TIME = -1
# Meta keys that describe the state of the other catalog.
_OWN_NOTES = ("coverage", "repository")


def copy_catalog(source: Path, target: Path, wanted: Callable[[str, int], bool]) -> CatalogState:
    """Create a catalog of those files of another whose path and size are wanted; the other is only read.

    Returns the state of the other that was copied. Raises CatalogDamaged or sqlite3.Error if it cannot be.
    """
    schema.make_private(target)
    with closing(schema.connect(source, readonly=True)) as old, closing(sqlite3.connect(target)) as new:
        new.execute("PRAGMA synchronous = OFF")
        # In one step, which is one read transaction: it does not block the writer of the other catalog.
        old.backup(new)
    schema.check(target)
    with closing(schema.connect(target, readonly=False)) as copy:
        copy.execute("BEGIN IMMEDIATE")
        copied = _state(copy)
        _keep(copy, wanted)
        _renew(copy)
        copy.execute("COMMIT")
    return copied


def _state(copy: sqlite3.Connection) -> CatalogState:
    meta = dict(copy.execute("SELECT key, value FROM meta WHERE key IN ('birth', 'generation')").fetchall())
    return CatalogState(str(meta["birth"]), int(meta["generation"]))


def _keep(copy: sqlite3.Connection, wanted: Callable[[str, int], bool]) -> None:
    files = copy.execute("SELECT id, path, size FROM files").fetchall()
    copy.execute("CREATE TEMP TABLE gone (id INTEGER PRIMARY KEY)")
    gone = [(id,) for id, path, size in files if not wanted(path, size)]
    copy.executemany("INSERT INTO gone VALUES (?)", gone)
    for table, key in (("chunks", "file_id"), ("symbols", "file_id"), ("facts", "file_id"), ("files", "id")):
        copy.execute(f"DELETE FROM {table} WHERE {key} IN (SELECT id FROM gone)")


def _renew(copy: sqlite3.Connection) -> None:
    copy.execute("UPDATE files SET mtime_ns = ?", (_UNKNOWN_TIME,))
    copy.execute("DELETE FROM skipped")
    copy.executemany("DELETE FROM meta WHERE key = ?", [(key,) for key in _OWN_NOTES])
    copy.execute("UPDATE meta SET value = hex(randomblob(16)) WHERE key = 'birth'")
    # Files were removed since any snapshot of the other.
    copy.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")
