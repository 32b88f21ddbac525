"""What a folder's worker has to do: a hundred events are one job, and a job that fails stays owed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from sightline.settings.tree import Settings

# The pause before a failed job is tried again; it doubles up to the second value.
_RETRY_SECONDS = (1.0, 60.0)


@dataclass(slots=True)
class Job:
    """All that was requested since the last one; `settings` come first, then `clear`, then the rest."""

    paths: set[Path] = field(default_factory=set)
    reconcile: bool = False
    force: bool = False
    clear: bool = False
    reopen: bool = False
    settings: Settings | None = None

    def __bool__(self) -> bool:
        return bool(self.paths or self.walks or self.clear or self.settings is not None)

    @property
    def walks(self) -> bool:
        """Whether doing this job compares the whole folder with the index."""
        return self.reconcile or self.force or self.reopen

    def include(self, other: Job) -> None:
        """Do the other job as well."""
        self.paths |= other.paths
        self.reconcile |= other.reconcile
        self.force |= other.force
        self.clear |= other.clear
        self.reopen |= other.reopen
        self.settings = other.settings or self.settings

    def without(self, done: Job) -> Job:
        """What is left of this job once another one has been done after it was asked for."""
        if done.clear:
            return Job()
        return Job(
            paths=set() if done.walks else self.paths - done.paths,
            reconcile=self.reconcile and not done.walks,
            force=self.force and not done.force,
            clear=self.clear and not done.walks,
            reopen=self.reopen and not done.reopen,
        )


class Jobs:
    """The queue of one folder: a job that waits and grows, one at work, and one that failed and is owed."""

    def __init__(self) -> None:
        # Set while the job at work should end where it is.
        self.stop = threading.Event()
        self._changed = threading.Condition()
        self._waiting = Job()
        self._working: Job | None = None
        self._owed = Job()
        self._retrying = False
        self._pause = 0.0
        self._due = 0.0
        self._closed = False

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is at work; a failed job in its pause does not count."""
        return not self._waiting and self._working is None

    @property
    def owed(self) -> bool:
        """Whether a job has failed and not been done since."""
        return bool(self._owed)

    @property
    def closed(self) -> bool:
        """Whether no more work will be taken."""
        return self._closed

    def add(
        self,
        paths: Iterable[Path] = (),
        *,
        reconcile: bool = False,
        force: bool = False,
        clear: bool = False,
        reopen: bool = False,
        settings: Settings | None = None,
    ) -> None:
        """Ask for work; it returns at once."""
        job = Job(set(paths), reconcile, force, clear, reopen, settings)
        with self._changed:
            if clear:
                # What was asked for before would be thrown away; what is asked for later is done after it.
                self._waiting = replace(self._waiting.without(job), settings=self._waiting.settings)
            self._waiting.include(job)
            self._changed.notify_all()

    def take(self, timeout: float | None) -> Job | None:
        """The job that failed if its pause is over, else the one that waits; None if the time is up."""
        with self._changed:
            self._changed.wait_for(self._can_be_taken, self._until_due(timeout))
            if not self._can_be_taken() or self._closed:
                return None
            self._retrying = self._is_due()
            if self._retrying:
                # Apart from what waits, which must not fail because this may fail again.
                self._working = self._owed
            else:
                self._working, self._waiting = self._waiting, Job()
            return self._working

    def done(self) -> None:
        """The job at work is finished, and with it what was owed of the same."""
        with self._changed:
            if self._working is not None:
                self._owed = self._owed.without(self._working)

    def drop(self) -> None:
        """The job at work was stopped by the user and is not tried again."""
        with self._changed:
            if self._retrying:
                self._owed = Job()

    def fail(self) -> None:
        """The job at work, or a look at the whole folder without one, is owed: tried again after a pause."""
        first, longest = _RETRY_SECONDS
        with self._changed:
            if self._retrying or not self._owed:
                self._pause = min(longest, 2 * self._pause) if self._pause else first
                self._due = time.monotonic() + self._pause
            # Its settings are in use already, and newer ones may follow before it is tried again.
            self._owed.include(replace(self._working or Job(reconcile=True), settings=None))

    def end(self) -> None:
        """The job at work is over, whatever came of it and after that was reported."""
        with self._changed:
            self._working, self._retrying = None, False
            if not self._owed:
                self._pause = 0.0
            if not self._closed:
                self.stop.clear()
            self._changed.notify_all()

    def cancel(self) -> None:
        """Stop the job at work, or the next one, where it is."""
        with self._changed:
            if not self.idle:
                self.stop.set()

    def close(self) -> None:
        """Take no more work, stop what is at work and wake whoever waits."""
        with self._changed:
            self._closed = True
            self.stop.set()
            self._changed.notify_all()

    def wait_idle(self, timeout: float | None) -> bool:
        """Wait until nothing is left to do; False if the time was up first."""
        with self._changed:
            return self._changed.wait_for(lambda: self._closed or self.idle, timeout)

    def _can_be_taken(self) -> bool:
        return self._closed or bool(self._waiting) or self._is_due()

    def _is_due(self) -> bool:
        return bool(self._owed) and time.monotonic() >= self._due

    def _until_due(self, timeout: float | None) -> float | None:
        if not self._owed:
            return timeout
        left = max(0.0, self._due - time.monotonic())
        return left if timeout is None else min(timeout, left)
