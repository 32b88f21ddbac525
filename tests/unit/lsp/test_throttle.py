"""A throttle calls at once, then not too often, and never drops the last call."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sightline.lsp.event_loop import Throttle


class Clock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now = 0.0
        self._timers: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None]) -> object:
        self._timers.append((self.now + delay, callback))
        return None

    def advance(self, seconds: float) -> None:
        self.now += seconds
        due = [timer for timer in self._timers if timer[0] <= self.now]
        self._timers = [timer for timer in self._timers if timer[0] > self.now]
        for _, callback in due:
            callback()


@given(st.lists(st.integers(0, 9), max_size=60))
def test_calls_keep_the_interval_and_the_last_poke_is_not_lost(waits: list[int]) -> None:
    clock, calls = Clock(), list[float]()
    throttle = Throttle(clock, 4, lambda: calls.append(clock.now))
    last = 0.0
    for wait in waits:
        for _ in range(wait):
            clock.advance(1)
        throttle.poke()
        last = clock.now
    for _ in range(5):
        clock.advance(1)
    assert all(later - earlier >= 4 for earlier, later in pairwise(calls))
    assert not waits or calls[-1] >= last


def test_the_first_poke_calls_at_once() -> None:
    clock, calls = Clock(), list[float]()
    Throttle(clock, 4, lambda: calls.append(clock.now)).poke()
    assert calls == [0.0]
