"""Limits how often a function is called, and never loses the last call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


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
