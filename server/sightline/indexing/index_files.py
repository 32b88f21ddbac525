"""Opening a folder's index: a damaged one is set aside, an unwritable place is replaced for the session."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

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
_CHECKED = "checked"
# What reading tables that do not fit together ends in.
_CONTRADICTIONS = (LookupError, TypeError, ValueError, ArithmeticError)
_Result = TypeVar("_Result")


class CatalogInMotion(Exception):
    """The process that writes the catalog is making or replacing it; a reader tries again in a moment."""


@dataclass(frozen=True, slots=True)
class Stores:
    """A catalog's file that was opened, and what it held, in memory."""

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
        """Where the process that writes the index answers others; short, as such addresses have to be."""
        return cache_dir() / "sockets" / xxh3_64_hexdigest(os.fsencode(self.directory))

    def load(self) -> Stores:
        """What is stored; CatalogInMotion if another process writes it and it cannot be read right now."""
        return self._load_own() if self.writer else self._load_of_another()

    def check(self) -> None:
        """CatalogDamaged if a page of the catalog is broken that loading it did not look at.

        All pages are read, so a catalog that was not written since it was found whole is not read again.
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
        """Move a damaged catalog out of the way, in place of one set aside before."""
        target = self.directory / "damaged"
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in self.directory.glob(f"{CATALOG}*"):
            os.replace(path, target / path.name)
        self.notes.append(f"The index was damaged and is built again; what was left of it is in {target}.")

    def delete(self) -> None:
        """Remove everything but the lock, which this process holds and others may wait for."""
        # The catalog before its log: whoever opens it meanwhile must not find an older state.
        self.catalog.unlink(missing_ok=True)
        for path in self.directory.iterdir():
            if path.name != LOCK:
                _remove(path)

    def close(self) -> None:
        """Give the lock back."""
        self.lock.release()
        if self.temporary:
            self.temporary.cleanup()

    def _load_own(self) -> Stores:
        try:
            return self._open()
        except (CatalogDamaged, sqlite3.DatabaseError) as error:
            if not means_damage(error):
                raise IndexUnavailable(f"The index in {self.directory} cannot be opened: {error}.") from error
        self.set_aside()
        return self._open()

    def _load_of_another(self) -> Stores:
        try:
            # An empty file is one that the writer has only just created.
            if not self.catalog.stat().st_size:
                raise CatalogInMotion("the catalog is still empty")
            return self._open()
        except (OSError, CatalogDamaged, sqlite3.Error) as error:
            raise CatalogInMotion(str(error)) from error

    def _open(self) -> Stores:
        # Before it is opened: if it is replaced while we do so, this is what shows it.
        identity = file_identity(self.catalog)
        catalog = Catalog(self.catalog, readonly=not self.writer)
        try:
            if self.writer:
                identity = file_identity(self.catalog)
                drop_stale_images(catalog, self.directory)
            return Stores(catalog, load_memory(catalog, self.directory), identity)
        except _CONTRADICTIONS as error:
            catalog.close()
            raise CatalogDamaged(f"its tables contradict each other ({error!r})") from error
        except BaseException:
            # Nobody else knows of this connection.
            catalog.close()
            raise


def locate(root: Path) -> IndexFiles:
    """Where the index of a root is kept, with the lock if nobody else has it."""
    notes: list[str] = []
    directory, temporary = _usable_directory(index_dir(root), notes)
    lock = FolderLock(directory / LOCK)
    lock.try_acquire()
    return IndexFiles(directory, lock, notes, temporary)


def delete_index(directory: Path) -> bool:
    """Delete an index unless a process has it open; whether it was deleted."""
    files = IndexFiles(directory, FolderLock(directory / LOCK))
    if not files.lock.try_acquire():
        return False
    try:
        files.delete()
        # While it is still ours: whoever opened this very file sees that it is no longer the lock.
        with suppress(OSError):
            (directory / LOCK).unlink()
    finally:
        files.lock.release()
    with suppress(OSError):
        directory.rmdir()
        directory.parent.rmdir()
    return True


def drop_older_formats(index: Path) -> None:
    """Delete what earlier versions kept of the same root, unless one of them has it open."""
    for folder in older_formats(index):
        with suppress(OSError):
            delete_index(folder)


def _stamp(catalog: Path) -> bytes:
    """What changes whenever the catalog, or the log of what is not yet in it, is written."""
    states = [os.stat(path) for path in (catalog, Path(f"{catalog}-wal")) if path.exists()]
    parts = [f"{each.st_ino} {each.st_size} {each.st_mtime_ns}" for each in states if each.st_size]
    return "\n".join(parts).encode()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        # Windows keeps a file that is mapped: a snapshot of another catalog is not believed.
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
