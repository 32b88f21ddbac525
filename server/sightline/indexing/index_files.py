"""Opens a folder's index: sets a damaged one aside, uses a temporary folder if the cache is not writable."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from xxhash import xxh3_64_hexdigest

from sightline.errors import IndexUnavailable
from sightline.file_identity import Identity, file_identity
from sightline.location import cache_dir, index_dir, make_private, older_formats
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.folder_lock import FolderLock
from sightline.stores.catalog.schema import CatalogDamaged, check, means_damage
from sightline.stores.memory.image import drop_stale_images
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.restore import load_memory

CATALOG = "catalog.sqlite"
LOCK = "lock"
_LOCKS = (LOCK, "chroma.lock")
_CHECKED = "checked"
# The exceptions that reading inconsistent tables raises.
_INCONSISTENCY_ERRORS = (LookupError, TypeError, ValueError, ArithmeticError)
_Result = TypeVar("_Result")


class CatalogInMotion(Exception):
    """The writer is creating or replacing the catalog; a reader should retry shortly."""


class Stores(NamedTuple):
    """An open catalog, the memory index loaded from it, and the identity of its file."""

    catalog: Catalog
    memory: MemoryIndex
    identity: Identity | None


@dataclass(slots=True)
class IndexFiles:
    """Where a folder's index is kept, and whether this process may write it."""

    directory: Path
    lock: FolderLock
    notes: list[str] = field(default_factory=list)
    temporary: tempfile.TemporaryDirectory[str] | None = None

    @property
    def writer(self) -> bool:
        """Whether this process is the one that writes the index."""
        return self.lock.held

    @property
    def catalog(self) -> Path:
        """The catalog's file."""
        return self.directory / CATALOG

    @property
    def socket(self) -> Path:
        """The socket on which the writer answers other processes; short, as socket addresses must be."""
        return cache_dir() / "sockets" / xxh3_64_hexdigest(os.fsencode(self.directory))

    def load(self) -> Stores:
        """Load the stores; CatalogInMotion if another process is the writer and they cannot be read now."""
        return self._load_as_writer() if self.writer else self._load_as_reader()

    def check(self) -> None:
        """Raise CatalogDamaged if a page of the catalog is broken that loading did not read.

        This reads all pages, so a catalog that was not written since it last passed is not checked again.
        """
        stamp, known = _stamp(self.catalog), self.directory / _CHECKED
        with suppress(OSError):
            if known.read_bytes() == stamp:
                return
        check(self.catalog)
        with suppress(OSError):
            known.touch(mode=0o600)
            known.write_bytes(stamp)

    def set_aside(self) -> None:
        """Move a damaged catalog away, replacing one that was set aside before."""
        target = self.directory / "damaged"
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in self.directory.glob(f"{CATALOG}*"):
            os.replace(path, target / path.name)
        self.notes.append(f"The index was damaged and is being rebuilt; the damaged files are in {target}.")

    def delete(self) -> None:
        """Delete everything but the locks: others may wait for them, or still write the vector store."""
        # Delete the catalog before its log: a process that opens it meanwhile must not see an older state.
        self.catalog.unlink(missing_ok=True)
        for path in self.directory.iterdir():
            if path.name not in _LOCKS:
                _remove(path)

    def close(self) -> None:
        """Release the lock."""
        self.lock.release()
        if self.temporary:
            self.temporary.cleanup()

    def _load_as_writer(self) -> Stores:
        try:
            return self._open()
        except (CatalogDamaged, sqlite3.DatabaseError) as error:
            if not means_damage(error):
                raise IndexUnavailable(f"The index in {self.directory} cannot be opened: {error}.") from error
        self.set_aside()
        return self._open()

    def _load_as_reader(self) -> Stores:
        try:
            # An empty file is one that the writer has only just created.
            if not self.catalog.stat().st_size:
                raise CatalogInMotion("the catalog is still empty")
            return self._open()
        except (OSError, CatalogDamaged, sqlite3.Error) as error:
            raise CatalogInMotion(str(error)) from error

    def _open(self) -> Stores:
        # Read the identity before opening: it shows if the file is replaced while it is opened.
        identity = file_identity(self.catalog)
        catalog = Catalog(self.catalog, readonly=not self.writer)
        try:
            if self.writer:
                identity = file_identity(self.catalog)
                drop_stale_images(catalog, self.directory)
            return Stores(catalog, load_memory(catalog, self.directory), identity)
        except _INCONSISTENCY_ERRORS as error:
            catalog.close()
            raise CatalogDamaged(f"its tables contradict each other ({error!r})") from error
        except BaseException:
            # No other code has this connection to close it.
            catalog.close()
            raise


def locate(root: Path) -> IndexFiles:
    """Where the index of a root is stored, with the lock if no other process holds it."""
    notes: list[str] = []
    directory, temporary = _usable_directory(index_dir(root), notes)
    lock = FolderLock(directory / LOCK)
    lock.try_acquire()
    return IndexFiles(directory, lock, notes, temporary)


def delete_index(directory: Path) -> bool:
    """Delete an index unless a process has it open; return whether it was deleted."""
    files = IndexFiles(directory, FolderLock(directory / LOCK))
    if not files.lock.try_acquire():
        return False
    try:
        files.delete()
        # Delete the file while it is locked: a process that opened it then sees that it is not the lock now.
        for name in _LOCKS:
            with suppress(OSError):
                (directory / name).unlink()
    finally:
        files.lock.release()
    with suppress(OSError):
        directory.rmdir()
        directory.parent.rmdir()
    return True


def drop_older_formats(index: Path) -> None:
    """Delete indexes of the same root in older formats, unless a process has them open."""
    for folder in older_formats(index):
        with suppress(OSError):
            delete_index(folder)


def _stamp(catalog: Path) -> bytes:
    """A stamp that changes whenever the catalog or its write-ahead log is written."""
    states = [os.stat(path) for path in (catalog, Path(f"{catalog}-wal")) if path.exists()]
    parts = [f"{each.st_ino} {each.st_size} {each.st_mtime_ns}" for each in states if each.st_size]
    return "\n".join(parts).encode()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        # Windows cannot delete a mapped file; a snapshot that stays is ignored, as it is of another catalog.
        with suppress(PermissionError):
            path.unlink(missing_ok=True)


def _usable_directory(wanted: Path, notes: list[str]) -> tuple[Path, tempfile.TemporaryDirectory[str] | None]:
    try:
        _probe(lambda: make_private(wanted))
        _probe(lambda: (wanted / LOCK).touch(mode=0o600))
    except IndexUnavailable as error:
        temporary = tempfile.TemporaryDirectory(prefix="sightline-", ignore_cleanup_errors=True)
        notes.append(
            f"{error} The index is kept in a temporary folder for this session;"
            " set SIGHTLINE_CACHE_DIR to a folder you can write."
        )
        return Path(temporary.name), temporary
    return wanted, None


def _probe(action: Callable[[], _Result]) -> _Result:
    try:
        return action()
    except OSError as error:
        raise IndexUnavailable(f"The cache folder cannot be written ({error.strerror}).") from error
