"""The catalog's tables and how a database file becomes one."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

# Part of the folder name of every index: another format lives beside this one, never on top of it.
FORMAT = 3
# Tells our files from any other SQLite database.
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
    terms BLOB NOT NULL);
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


# What SQLite reports as a passing trouble though it comes from what is in the file.
_LASTING = re.compile("no such (table|column)|could not decode|cannot hold BLOB", re.IGNORECASE)


class CatalogDamaged(Exception):
    """The catalog file cannot be read as one; it has to be built again."""


def means_damage(error: Exception) -> bool:
    """Whether the file itself is at fault, not a full disk, a lock or a missing right."""
    if isinstance(error, sqlite3.OperationalError):
        return bool(_LASTING.search(str(error)))
    return isinstance(error, (CatalogDamaged, sqlite3.DatabaseError))


def connect(path: Path, *, readonly: bool) -> sqlite3.Connection:
    """An open connection to the catalog at `path`, made anew when there is none."""
    if not readonly:
        make_private(path)
    uri = f"{path.as_uri()}?mode={'ro' if readonly else 'rw'}"
    connection = sqlite3.connect(
        uri, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS
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
    """Look at every page of the database file; CatalogDamaged if one cannot be part of it."""
    with closing(connect(path, readonly=True)) as connection:
        ((verdict,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
    if verdict != "ok":
        raise CatalogDamaged(verdict)


def make_private(path: Path) -> None:
    """Make the file: SQLite would make it readable for everybody, and its log takes over the mode."""
    # Exclusively, because closing a file that SQLite has open drops SQLite's locks on it (POSIX).
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
    # Before anything is written: free pages can then be given back bit by bit.
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(
        f"BEGIN IMMEDIATE; {_TABLES} INSERT INTO meta VALUES ('generation', '0');"
        # Ids begin at 1 in every catalog: what is derived from one must be told from what is of another.
        "INSERT INTO meta VALUES ('birth', hex(randomblob(16)));"
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; COMMIT;"
    )
