"""A lock that waiting threads get in the order in which they asked for it."""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType


class FairLock:
    """A lock for `with`; not re-entrant.

    `threading.Lock` may go to the thread that has just released it, again and again, while others wait.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Lock] = deque()

    def __enter__(self) -> None:
        with self._guard:
            if not self._taken:
                self._taken = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        turn.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._guard:
            if self._waiting:
                # It stays taken: the next thread has it from now on.
                self._waiting.popleft().release()
            else:
                self._taken = False
