"""The job queue of a folder's worker: many events become one job, and a failed job is retried."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from sightline.settings.tree import Settings

# The pause before a failed job is retried; it doubles up to the second value.
_RETRY_SECONDS = (1.0, 60.0)


@dataclass(slots=True)
class Job:
    """Everything requested since the last job; `settings` are applied first, then `clear`, then the rest."""

    paths: set[Path] = field(default_factory=set)
    reconcile: bool = False
    force: bool = False
    clear: bool = False
    reopen: bool = False
    check: bool = False
    settings: Settings | None = None

    def __bool__(self) -> bool:
        return bool(self.paths or self.walks or self.clear or self.check or self.settings is not None)

    @property
    def walks(self) -> bool:
        """Whether this job compares the whole folder with the index."""
        return self.reconcile or self.force or self.reopen

    def include(self, other: Job) -> None:
        """Merge another job into this one."""
        self.paths |= other.paths
        self.reconcile |= other.reconcile
        self.force |= other.force
        self.clear |= other.clear
        self.reopen |= other.reopen
        self.check |= other.check
        self.settings = other.settings or self.settings

    def without(self, done: Job) -> Job:
        """What remains of this job after another job, started later, is done."""
        if done.clear:
            return Job()
        return Job(
            paths=set() if done.walks else self.paths - done.paths,
            reconcile=self.reconcile and not done.walks,
            force=self.force and not done.force,
            clear=self.clear and not done.walks,
            reopen=self.reopen and not done.reopen,
            check=self.check and not done.check,
        )


class Jobs:
    """The queue of one folder: a pending job that collects requests, a running one, and one to retry."""

    def __init__(self) -> None:
        # Set while the running job should stop.
        self.stop = threading.Event()
        self._changed = threading.Condition()
        self._pending = Job()
        self._running: Job | None = None
        self._failed = Job()
        self._retrying = False
        self._pause = 0.0
        self._due = 0.0
        self._closed = False

    @property
    def idle(self) -> bool:
        """Whether no job is pending or running; a failed job that waits for its retry does not count."""
        return not self._pending and self._running is None

    @property
    def retry_pending(self) -> bool:
        """Whether a failed job still has to be retried."""
        return bool(self._failed)

    @property
    def closed(self) -> bool:
        """Whether the queue accepts no more work."""
        return self._closed

    def add(
        self,
        paths: Iterable[Path] = (),
        *,
        reconcile: bool = False,
        force: bool = False,
        clear: bool = False,
        reopen: bool = False,
        check: bool = False,
        settings: Settings | None = None,
    ) -> None:
        """Request work; returns immediately."""
        job = Job(set(paths), reconcile, force, clear, reopen, check, settings)
        with self._changed:
            if clear:
                # The result of earlier requests would be deleted; later requests are done after clearing.
                self._pending = replace(self._pending.without(job), settings=self._pending.settings)
            self._pending.include(job)
            self._changed.notify_all()

    def take(self, timeout: float | None) -> Job | None:
        """The failed job if its pause is over, else the pending one; None on timeout."""
        with self._changed:
            self._changed.wait_for(self._has_job, self._until_due(timeout))
            if not self._has_job() or self._closed:
                return None
            self._retrying = self._is_due()
            if self._retrying:
                # Keep it separate from the pending job, which must not fail because this one fails again.
                self._running = self._failed
            else:
                self._running, self._pending = self._pending, Job()
            return self._running

    def done(self) -> None:
        """Mark the running job as finished, and drop the part of the failed job that it covers."""
        with self._changed:
            if self._running is not None:
                self._failed = self._failed.without(self._running)

    def drop(self) -> None:
        """Do not retry the running job: the user stopped it."""
        with self._changed:
            if self._retrying:
                self._failed = Job()

    def fail(self) -> None:
        """Retry the running job after a pause; if there is none, retry with a walk over the whole folder."""
        first, longest = _RETRY_SECONDS
        with self._changed:
            if self._retrying or not self._failed:
                self._pause = min(longest, 2 * self._pause) if self._pause else first
                self._due = time.monotonic() + self._pause
            # Its settings are already in use, and newer ones may arrive before the retry.
            self._failed.include(replace(self._running or Job(reconcile=True), settings=None))

    def end(self) -> None:
        """End the running job, whatever its outcome, after the outcome was reported."""
        with self._changed:
            self._running, self._retrying = None, False
            if not self._failed:
                self._pause = 0.0
            if not self._closed:
                self.stop.clear()
            self._changed.notify_all()

    def cancel(self) -> None:
        """Stop the running job, or the next one."""
        with self._changed:
            if not self.idle:
                self.stop.set()

    def close(self) -> None:
        """Accept no more work, stop the running job and wake all waiting threads."""
        with self._changed:
            self._closed = True
            self.stop.set()
            self._changed.notify_all()

    def wait_idle(self, timeout: float | None) -> bool:
        """Wait until nothing is left to do; False on timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: self._closed or self.idle, timeout)

    def _has_job(self) -> bool:
        return self._closed or bool(self._pending) or self._is_due()

    def _is_due(self) -> bool:
        return bool(self._failed) and time.monotonic() >= self._due

    def _until_due(self, timeout: float | None) -> float | None:
        if not self._failed:
            return timeout
        left = max(0.0, self._due - time.monotonic())
        return left if timeout is None else min(timeout, left)
