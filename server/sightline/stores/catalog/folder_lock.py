"""One writer per folder: a lock that the operating system releases when its holder dies."""

from __future__ import annotations

import os
from pathlib import Path

from sightline.platforms import BINARY, lock_file, unlock_file

_PID_BYTES = 32


class FolderLock:
    """An exclusive lock on a file; a second process, or a second object in this process, cannot take it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock now."""
        return self._descriptor is not None

    @property
    def lost(self) -> bool:
        """Whether the locked file is no longer the one that other processes would lock."""
        return self._descriptor is not None and not self._is_current(self._descriptor)

    def try_acquire(self) -> bool:
        """Take the lock if it is free, without waiting; OSError if its file cannot be opened for writing."""
        if self._descriptor is not None:
            return True
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # The descriptor is never inherited (PEP 446), so a child started meanwhile cannot keep the lock.
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | BINARY, 0o600)
        # A holder may have deleted the file between open and lock: locking a deleted file excludes no one.
        if not lock_file(descriptor) or not self._is_current(descriptor):
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        _write_holder(descriptor, str(os.getpid()))
        return True

    def release(self) -> None:
        """Release the lock; the file stays, because removing it would race with the next holder."""
        if self._descriptor is None:
            return
        _write_holder(self._descriptor, "")
        unlock_file(self._descriptor)
        os.close(self._descriptor)
        self._descriptor = None

    def holder(self) -> int | None:
        """The pid that took the lock last and has not released it, for messages only."""
        try:
            with self._path.open("rb") as file:
                text = file.read(_PID_BYTES)
            return int(text)
        except (OSError, ValueError):
            return None

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False


def _write_holder(descriptor: int, text: str) -> None:
    try:
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, text.encode("ascii"))
    except OSError:
        # A full disk must not make locking fail: the pid is only used in a message.
        return
