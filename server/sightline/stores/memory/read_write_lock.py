"""A lock for many concurrent readers or one exclusive writer; the writer has priority."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType


class _Reading:
    """Holds a lock for reading; several times a search, for which a generator takes twice as long."""

    def __init__(self, lock: ReadWriteLock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        self._lock.begin_reading()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.end_reading()


class ReadWriteLock:
    """Many readers or one writer; not re-entrant."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers = 0
        self._writers_waiting = 0
        self._writing = False
        self._reading = _Reading(self)

    def reading(self) -> AbstractContextManager[None]:
        """Hold the lock for reading."""
        return self._reading

    def begin_reading(self) -> None:
        """Wait for writers, then keep them out until `end_reading`."""
        with self._changed:
            while self._writing or self._writers_waiting:
                self._changed.wait()
            self._readers += 1

    def end_reading(self) -> None:
        """Let writers in again."""
        with self._changed:
            self._readers -= 1
            if not self._readers:
                self._changed.notify_all()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock for writing, without readers."""
        with self._changed:
            self._writers_waiting += 1
            self._changed.wait_for(lambda: not self._writing and not self._readers)
            self._writers_waiting -= 1
            self._writing = True
        try:
            yield
        finally:
            with self._changed:
                self._writing = False
                self._changed.notify_all()
