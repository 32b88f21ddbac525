"""An SQLite file with one writer, any number of readers, and a generation number for its state."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sightline.stores.catalog import schema

# The meta key that distinguishes a database from another one that replaced it.
_BIRTH = "birth"
_Database = TypeVar("_Database", bound="Database")


class CatalogState(NamedTuple):
    """Which catalog, and which of its states: data derived from equal states is equal."""

    birth: str
    generation: int


class Database:
    """The connections of one process to a catalog file; the subclass knows what the tables mean."""

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        self._path = path
        self._writer = None if readonly else schema.connect(path, readonly=False)
        # Readers have their own connection, so that no search waits for a transaction.
        self._reader = schema.connect(path, readonly=True)
        self._write_lock = threading.RLock()
        self._read_lock = threading.Lock()
        self._writing_thread: int | None = None

    def close(self) -> None:
        """Close the database file."""
        with self._write_lock, self._read_lock:
            self._reader.close()
            if self._writer:
                self._writer.close()

    @property
    def writable(self) -> bool:
        """Whether this process may change the database."""
        return self._writer is not None

    @contextmanager
    def snapshot(self: _Database) -> Iterator[_Database]:
        """A consistent view of the database at this moment, on its own connection, without later writes."""
        view = type(self)(self._path, readonly=True)
        try:
            # One transaction, whose first read determines what all later reads see (isolation in WAL mode).
            view._reader.execute("BEGIN")
            if view.meta(_BIRTH) != self.meta(_BIRTH):
                raise sqlite3.OperationalError("another database has taken the place of this one")
            yield view
        finally:
            view.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: everything inside is stored, or nothing; the generation increases by one."""
        with self._write_lock:
            self._write("BEGIN IMMEDIATE")
            self._writing_thread = threading.get_ident()
            try:
                yield
                self._write("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")
                self._write("COMMIT")
            except BaseException:
                # Any exception, even one that ends the process: a partial transaction must not stay open.
                self._roll_back()
                raise
            finally:
                self._writing_thread = None

    @property
    def generation(self) -> int:
        """How many times the database has changed."""
        return int(self.meta("generation") or 0)

    @property
    def state(self) -> CatalogState:
        """What data derived from this database has to match."""
        return CatalogState(self.meta(_BIRTH) or "", self.generation)

    def meta(self, key: str) -> str | None:
        """A value kept beside the tables."""
        rows = self._all("SELECT value FROM meta WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def set_meta(self, key: str, value: str) -> None:
        """Keep a value beside the tables."""
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def count(self, table: str) -> int:
        """How many rows a table has."""
        return int(self._all(f"SELECT count(*) FROM {table}")[0][0])

    def columns(self, table: str, names: Sequence[str]) -> Iterator[tuple[str, list[Any]]]:
        """Whole columns of a table by name; the row order is unspecified, but the same in all columns."""
        # As one row: fetching row by row would take longer, and would release the GIL for every row.
        arrays = ", ".join(f"json_group_array({name})" for name in names)
        (row,) = self._all(f"SELECT {arrays} FROM {table}")
        for name, column in zip(names, row, strict=True):
            yield name, json.loads(column)

    def pages(self) -> tuple[int, int]:
        """How many pages the file has, and how many of them are free."""
        ((pages,),), ((free,),) = self._all("PRAGMA page_count"), self._all("PRAGMA freelist_count")
        return int(pages), int(free)

    def release_pages(self, most: int) -> bool:
        """Return at most `most` free pages to the file system; whether any were returned."""
        before = self.pages()[1]
        with self._write_lock:
            # As a script: `execute` makes only one step of a statement without columns, which frees one page.
            self._open_writer().executescript(f"PRAGMA incremental_vacuum({most})")
        return self.pages()[1] < before

    def shrink_cache(self) -> None:
        """Free the pages that the connections keep in memory; the system's cache has them too."""
        with self._read_lock:
            self._reader.execute("PRAGMA shrink_memory")
        self._write("PRAGMA shrink_memory")

    def truncate_log(self, larger_than: int) -> None:
        """Checkpoint and truncate the log, unless it is small or a reader uses it."""
        log = self._path.with_name(f"{self._path.name}-wal")
        if not log.exists() or log.stat().st_size <= larger_than:
            return
        with self._write_lock:
            # With the normal timeout it would wait for readers as long as a write does.
            self._write("PRAGMA busy_timeout = 50")
            try:
                self._write("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._write(f"PRAGMA busy_timeout = {1000 * schema.BUSY_SECONDS}")

    def _all(self, statement: str, values: tuple[object, ...] = ()) -> list[Any]:
        if self._writing_thread == threading.get_ident():
            return self._write(statement, values).fetchall()
        with self._read_lock:
            return self._reader.execute(statement, values).fetchall()

    def _write(self, statement: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        with self._write_lock:
            return self._open_writer().execute(statement, values)

    def _write_many(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        with self._write_lock:
            self._open_writer().executemany(statement, rows)

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            raise sqlite3.OperationalError("this process only reads the catalog")
        return self._writer

    def _roll_back(self) -> None:
        # A full disk may have ended the transaction already.
        if self._open_writer().in_transaction:
            self._write("ROLLBACK")
