"""Gives users priority: indexing waits during searches and typing, and pauses to limit CPU use."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Long enough to cover the gaps between keystrokes, short enough not to be noticed after the last one.
_TYPING_SECONDS = 0.4
# Continuous searching or typing must not block indexing forever.
_LONGEST_WAIT = 2.0
# A saved file should be searchable soon as well.
_SHORTEST_WAIT = 0.05
_GIL_RELEASE_SECONDS = 0.001


class Gate:
    """The point between two files where indexing yields to users."""

    def __init__(self) -> None:
        self._idle = threading.Condition()
        self._foreground_requests = 0
        self._quiet_until = 0.0
        self._worked_since = time.monotonic()
        self.cpu_percent = 100
        self.pause_while_typing = True
        # Files open in editors are read first; replaced as a whole, so that any thread can read it.
        self.open_files: frozenset[Path] = frozenset()

    @contextmanager
    def foreground(self) -> Iterator[None]:
        """Mark that a user waits for an answer, for the duration of the context."""
        with self._idle:
            self._foreground_requests += 1
        try:
            yield
        finally:
            with self._idle:
                self._foreground_requests -= 1
                self._idle.notify_all()

    def typing(self) -> None:
        """Note that a key was pressed in an editor."""
        if self.pause_while_typing:
            self._quiet_until = time.monotonic() + _TYPING_SECONDS

    def yield_to_foreground(self, stop: threading.Event) -> None:
        """Let requests that arrive now run first; for work that is user-facing too."""
        # Release the GIL so that a request that just arrived can register.
        stop.wait(_GIL_RELEASE_SECONDS)
        with self._idle:
            self._idle.wait_for(lambda: not self._foreground_requests or stop.is_set(), _SHORTEST_WAIT)

    def wait(self, stop: threading.Event) -> None:
        """Give users priority, then sleep for the share of time that `cpu_percent` does not allow."""
        worked = time.monotonic() - self._worked_since
        deadline = time.monotonic() + _LONGEST_WAIT
        with self._idle:
            self._idle.wait_for(lambda: not self._foreground_requests or stop.is_set(), _LONGEST_WAIT)
        quiet = min(self._quiet_until, deadline) - time.monotonic()
        rest = worked * (100 - self.cpu_percent) / self.cpu_percent
        if max(quiet, rest) > 0:
            stop.wait(max(quiet, rest))
        self._worked_since = time.monotonic()
