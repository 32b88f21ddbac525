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

from sightline.errors import IndexUnavailable
from sightline.location import index_dir, make_private, older_formats
from sightline.stores.catalog import Catalog
from sightline.stores.identity import Identity, file_identity
from sightline.stores.image import Image
from sightline.stores.loading import drop_stale_snapshot, load_image
from sightline.stores.lock import FolderLock
from sightline.stores.schema import CatalogDamaged, check, means_damage

CATALOG = "catalog.sqlite"
_LOCK = "lock"
_Result = TypeVar("_Result")


@dataclass(slots=True)
class Opened:
    """An open index: where it is, whether we may write it, and what is worth telling about the opening."""

    directory: Path
    lock: FolderLock
    catalog: Catalog
    image: Image
    notes: list[str] = field(default_factory=list)
    temporary: tempfile.TemporaryDirectory[str] | None = None
    identity: Identity | None = None

    def __post_init__(self) -> None:
        """Remember which file the catalog was."""
        self.identity = file_identity(self.directory / CATALOG)

    @property
    def replaced(self) -> bool:
        """Whether the catalog's file is gone, or another one is in its place: nobody will read this one."""
        return file_identity(self.directory / CATALOG) != self.identity

    def check(self) -> None:
        """CatalogDamaged if a page of the catalog is broken that opening it did not look at."""
        check(self.directory / CATALOG)

    def reopen(self) -> None:
        """Read the catalog's file anew, as the writer if the lock is ours by now."""
        old = self.catalog
        self.catalog, self.image = open_stores(self.directory, writer=self.writer, notes=self.notes)
        self.identity = file_identity(self.directory / CATALOG)
        old.close()

    @property
    def writer(self) -> bool:
        """Whether this process is the one that writes the index."""
        return self.lock.held

    def close(self) -> None:
        """Let go of the files and of the lock."""
        self.catalog.close()
        self.lock.release()
        if self.temporary:
            self.temporary.cleanup()


def open_index(root: Path) -> Opened:
    """The index of a root, as its writer if nobody else is; IndexUnavailable if there is no way."""
    notes: list[str] = []
    directory, temporary = _usable_directory(index_dir(root), notes)
    lock = FolderLock(directory / _LOCK)
    lock.try_acquire()
    if not lock.held and not (directory / CATALOG).exists():
        raise IndexUnavailable(
            f"Another process (pid {lock.holder()}) is making the index of {root}; try again in a moment."
        )
    try:
        catalog, image = open_stores(directory, writer=lock.held, notes=notes)
    except BaseException:
        # Or the next attempt, from this very process, would find the index in use.
        lock.release()
        raise
    return Opened(directory, lock, catalog, image, notes, temporary)


def open_stores(directory: Path, *, writer: bool, notes: list[str]) -> tuple[Catalog, Image]:
    """The catalog and its image; a damaged catalog is set aside and an empty one takes its place."""
    try:
        return _open_stores(directory, writer=writer)
    except (CatalogDamaged, sqlite3.DatabaseError) as error:
        if not means_damage(error) or not writer:
            raise IndexUnavailable(f"The index in {directory} cannot be opened: {error}.") from error
    notes.append(set_aside(directory))
    return _open_stores(directory, writer=writer)


def set_aside(directory: Path) -> str:
    """Move a damaged catalog out of the way, in place of one set aside before; what to tell the user."""
    target = directory / "damaged"
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in directory.glob(f"{CATALOG}*"):
        os.replace(path, target / path.name)
    return f"The index was damaged and is built again; what was left of it is in {target}."


def _open_stores(directory: Path, *, writer: bool) -> tuple[Catalog, Image]:
    catalog = Catalog(directory / CATALOG, readonly=not writer)
    try:
        if writer:
            drop_stale_snapshot(catalog, directory)
        return catalog, load_image(catalog, directory)
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        catalog.close()
        raise CatalogDamaged(f"its tables contradict each other ({error!r})") from error
    except BaseException:
        # Nobody else knows of this connection.
        catalog.close()
        raise


def _usable_directory(wanted: Path, notes: list[str]) -> tuple[Path, tempfile.TemporaryDirectory[str] | None]:
    try:
        _probe(lambda: make_private(wanted))
        _probe(lambda: (wanted / _LOCK).touch(mode=0o600))
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


def drop_older_formats(index: Path) -> None:
    """Delete what earlier versions kept of the same root, unless one of them has it open."""
    for folder in older_formats(index):
        lock = FolderLock(folder / _LOCK)
        with suppress(OSError):
            if lock.try_acquire():
                lock.release()
                shutil.rmtree(folder, ignore_errors=True)
