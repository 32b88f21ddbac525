"""People first: indexing waits while somebody searches or types, and rests to keep the machine cool."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Long enough to cover the gaps between keystrokes, short enough not to be noticed after the last.
_TYPING_SECONDS = 0.4
# Somebody who never stops must not stop the index for ever.
_LONGEST_WAIT = 2.0
# What somebody saved is wanted soon as well.
_SHORTEST_WAIT = 0.05
_MOMENT = 0.001


class Gate:
    """What indexing passes between two files."""

    def __init__(self) -> None:
        self._idle = threading.Condition()
        self._people = 0
        self._quiet_until = 0.0
        self._worked_since = time.monotonic()
        self.cpu_percent = 100
        self.pause_while_typing = True
        # What editors show is read first; replaced as a whole, so that it can be read from any thread.
        self.open_files: frozenset[Path] = frozenset()

    @contextmanager
    def foreground(self) -> Iterator[None]:
        """Somebody waits for an answer while this is held."""
        with self._idle:
            self._people += 1
        try:
            yield
        finally:
            with self._idle:
                self._people -= 1
                self._idle.notify_all()

    def typing(self) -> None:
        """A key was pressed in an editor."""
        if self.pause_while_typing:
            self._quiet_until = time.monotonic() + _TYPING_SECONDS

    def yield_to_foreground(self, stop: threading.Event) -> None:
        """Let whoever asks in this moment have the answer first; for work that is a person's wish too."""
        # A question that has just come needs the interpreter to say that it is there.
        stop.wait(_MOMENT)
        with self._idle:
            self._idle.wait_for(lambda: not self._people or stop.is_set(), _SHORTEST_WAIT)

    def wait(self, stop: threading.Event) -> None:
        """Let people go first, then rest for the share of time that is not ours."""
        worked = time.monotonic() - self._worked_since
        deadline = time.monotonic() + _LONGEST_WAIT
        with self._idle:
            self._idle.wait_for(lambda: not self._people or stop.is_set(), _LONGEST_WAIT)
        quiet = min(self._quiet_until, deadline) - time.monotonic()
        rest = worked * (100 - self.cpu_percent) / self.cpu_percent
        if max(quiet, rest) > 0:
            stop.wait(max(quiet, rest))
        self._worked_since = time.monotonic()
