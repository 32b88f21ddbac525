"""Calls on the event loop: from any thread, and not more often than necessary."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

logger = logging.getLogger(__name__)


def call_on_loop(loop: asyncio.AbstractEventLoop, action: Callable[..., None], *values: object) -> None:
    """Call a function on the loop; ignored after the loop has ended, when the client is gone."""
    try:
        loop.call_soon_threadsafe(action, *values)
    except RuntimeError:
        logger.debug("the event loop has ended")


class Timer(Protocol):
    """The part of an event loop a throttle needs."""

    def time(self) -> float:
        """Now, in seconds."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> object:
        """Call back after a while."""


class Throttle:
    """At most one call per interval: the first at once, the last of a burst when the interval ends."""

    def __init__(self, timer: Timer, interval: float, action: Callable[[], None]) -> None:
        """Start without a call."""
        self._timer = timer
        self._interval = interval
        self._action = action
        self._next = float("-inf")
        self._pending = False

    def poke(self) -> None:
        """Request a call."""
        if self._pending:
            return
        wait = self._next - self._timer.time()
        if wait <= 0:
            self._fire()
        else:
            self._pending = True
            self._timer.call_later(wait, self._fire)

    def _fire(self) -> None:
        self._pending = False
        self._next = self._timer.time() + self._interval
        self._action()
