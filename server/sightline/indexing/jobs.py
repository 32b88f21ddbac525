"""What a folder's worker has to do, coalesced: a hundred events are one job."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Job:
    """Everything that came in since the last one; the strongest wish wins."""

    paths: set[Path] = field(default_factory=set)
    reconcile: bool = False
    everything: bool = False
    clear: bool = False
    reopen: bool = False

    def __bool__(self) -> bool:
        return bool(self.paths or self.reconcile or self.everything or self.clear or self.reopen)


class Jobs:
    """The queue of one folder: one waiting job that grows, and one at work."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting = Job()
        self._working = False
        self._closed = False

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is at work."""
        return not self._waiting and not self._working

    @property
    def closed(self) -> bool:
        """Whether no more work will be taken."""
        return self._closed

    def add(
        self,
        paths: Iterable[Path] = (),
        *,
        reconcile: bool = False,
        everything: bool = False,
        clear: bool = False,
        reopen: bool = False,
    ) -> None:
        """Ask for work; it returns at once."""
        with self._changed:
            self._waiting.paths.update(paths)
            self._waiting.reconcile |= reconcile
            self._waiting.everything |= everything
            self._waiting.clear |= clear
            self._waiting.reopen |= reopen
            self._changed.notify_all()

    def take(self, timeout: float | None) -> Job | None:
        """The work that waits, or None when the time is up or the queue is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting, timeout)
            if self._closed or not self._waiting:
                return None
            job, self._waiting = self._waiting, Job()
            self._working = True
            return job

    def done(self) -> None:
        """The job taken last is finished."""
        with self._changed:
            self._working = False
            self._changed.notify_all()

    def close(self) -> None:
        """Take no more work and wake whoever waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def wait_idle(self, timeout: float | None) -> bool:
        """Wait until nothing is left to do; False if the time was up first."""
        with self._changed:
            return self._changed.wait_for(lambda: self._closed or self.idle, timeout)
