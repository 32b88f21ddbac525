"""The catalog's tables, and how its database file is created, opened and checked."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import wraps
from pathlib import Path
from typing import ParamSpec

_Given = ParamSpec("_Given")

# Part of the folder name of every index: another format is stored beside this one, never over it.
FORMAT = 4
# Distinguishes our files from any other SQLite database.
APPLICATION_ID = 0x51676874
# How long a connection waits for another one's lock.
BUSY_SECONDS = 10

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, digest BLOB NOT NULL,
    size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, language TEXT NOT NULL, parse TEXT NOT NULL,
    note TEXT NOT NULL, embed_key INTEGER NOT NULL, generation INTEGER NOT NULL);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, file_id INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, kind TEXT NOT NULL, symbol TEXT NOT NULL,
    container TEXT NOT NULL, signature TEXT NOT NULL, defines INTEGER NOT NULL, calls TEXT NOT NULL,
    imports TEXT NOT NULL, identity BLOB NOT NULL, content INTEGER NOT NULL, embed_key INTEGER NOT NULL,
    branches INTEGER NOT NULL, terms BLOB NOT NULL);
CREATE INDEX chunks_by_file ON chunks (file_id, ordinal);
CREATE TABLE symbols (
    file_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
    container TEXT NOT NULL, signature TEXT NOT NULL, start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL, name_line INTEGER NOT NULL, name_column INTEGER NOT NULL,
    chunk INTEGER NOT NULL, PRIMARY KEY (file_id, ordinal)) WITHOUT ROWID;
CREATE TABLE facts (file_id INTEGER PRIMARY KEY, facts TEXT NOT NULL);
CREATE TABLE terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL);
CREATE TABLE embeddings (
    model TEXT NOT NULL, key INTEGER NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, key)) WITHOUT ROWID;
CREATE TABLE skipped (
    path TEXT PRIMARY KEY, reason TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL)
    WITHOUT ROWID;
"""


# What SQLite reports as an operational error though the content of the file is the cause.
_DAMAGE_MESSAGES = re.compile("no such (table|column)|could not decode|cannot hold BLOB", re.IGNORECASE)


class CatalogDamaged(Exception):
    """The file cannot be read as a catalog; it has to be rebuilt."""


def _with_readable_error(run: Callable[_Given, sqlite3.Cursor]) -> Callable[_Given, sqlite3.Cursor]:
    """Run statements so that every error of SQLite is an sqlite3.Error.

    It quotes a damaged schema in its message, which Python cannot decode if it is no text.
    """

    @wraps(run)
    def running(*given: _Given.args, **named: _Given.kwargs) -> sqlite3.Cursor:
        try:
            return run(*given, **named)
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError(error.object.decode("utf-8", "replace")) from error

    return running


class _Connection(sqlite3.Connection):
    execute = _with_readable_error(sqlite3.Connection.execute)
    executemany = _with_readable_error(sqlite3.Connection.executemany)
    executescript = _with_readable_error(sqlite3.Connection.executescript)


def means_damage(error: Exception) -> bool:
    """Whether the file itself is damaged, as opposed to a full disk, a lock or a missing permission."""
    if isinstance(error, sqlite3.OperationalError):
        return bool(_DAMAGE_MESSAGES.search(str(error)))
    return isinstance(error, (CatalogDamaged, sqlite3.DatabaseError))


def connect(path: Path, *, readonly: bool) -> sqlite3.Connection:
    """An open connection to the catalog at `path`, which is created if it does not exist."""
    if not readonly:
        make_private(path)
    uri = f"{path.as_uri()}?mode={'ro' if readonly else 'rw'}"
    connection = sqlite3.connect(
        uri,
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY_SECONDS,
        factory=_Connection,
    )
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -16384")
        _prepare(connection, readonly=readonly)
    except (sqlite3.DatabaseError, CatalogDamaged):
        connection.close()
        raise
    return connection


def check(path: Path) -> None:
    """Check every page of the database file; CatalogDamaged if one is corrupt."""
    with closing(connect(path, readonly=True)) as connection:
        ((verdict,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
    if verdict != "ok":
        raise CatalogDamaged(verdict)


def make_private(path: Path) -> None:
    """Create the file as private: SQLite would make it readable for all, and its log inherits the mode."""
    # With O_EXCL, because closing a file that SQLite has open drops SQLite's locks on it (POSIX).
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _prepare(connection: sqlite3.Connection, *, readonly: bool) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables == 0 and not readonly:
        _create(connection)
    elif application != APPLICATION_ID or version != FORMAT:
        raise CatalogDamaged("not a catalog of this format")


def _create(connection: sqlite3.Connection) -> None:
    # Must be set before anything is written: free pages can then be released step by step.
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(
        f"BEGIN IMMEDIATE; {_TABLES} INSERT INTO meta VALUES ('generation', '0');"
        # Ids begin at 1 in every catalog, so derived data needs this to identify its catalog.
        "INSERT INTO meta VALUES ('birth', hex(randomblob(16)));"
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; COMMIT;"
    )
