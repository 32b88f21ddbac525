"""One writer a folder: a lock the operating system itself gives back when its holder dies."""

from __future__ import annotations

import os
from pathlib import Path

from sightline.platforms import BINARY, lock_file, unlock_file

_PID_BYTES = 32


class FolderLock:
    """An exclusive lock on a file; a second process, or a second object in this one, does not get it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock now."""
        return self._descriptor is not None

    @property
    def lost(self) -> bool:
        """Whether the file that this object has locked is no longer the one that others would lock."""
        return self._descriptor is not None and not self._is_current(self._descriptor)

    def try_acquire(self) -> bool:
        """Take the lock if it is free, without waiting; OSError if its file cannot be opened for writing."""
        if self._descriptor is not None:
            return True
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Never inherited (PEP 446), so a child started meanwhile cannot keep the lock alive.
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | BINARY, 0o600)
        # A holder may have deleted the file between the two steps: a lock on that one keeps nobody out.
        if not lock_file(descriptor) or not self._is_current(descriptor):
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        self._write_holder(str(os.getpid()))
        return True

    def release(self) -> None:
        """Give the lock back; the file stays, because removing it would race with the next holder."""
        if self._descriptor is None:
            return
        self._write_holder("")
        unlock_file(self._descriptor)
        os.close(self._descriptor)
        self._descriptor = None

    def holder(self) -> int | None:
        """The pid that took the lock last and has not given it back, for messages only."""
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

    def _write_holder(self, text: str) -> None:
        assert self._descriptor is not None
        try:
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, text.encode("ascii"))
        except OSError:
            # A full disk must not cost the lock: the pid only decorates a message.
            return
