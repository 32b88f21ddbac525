"""Memory is given back once, after the last use of a busy period."""

from __future__ import annotations

import threading
import time

import pytest

from sightline.processes import freed_memory
from sightline.processes.freed_memory import ReleaseWhenQuiet


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """Counts how often memory was released."""
    count = threading.Semaphore(0)
    monkeypatch.setattr(freed_memory, "release_freed_memory", count.release)
    return count


def test_memory_is_released_after_each_busy_period(released: threading.Semaphore) -> None:
    quiet = ReleaseWhenQuiet(0.05)
    for _ in range(2):
        started = time.monotonic()
        for _ in range(20):
            quiet.used()
        assert released.acquire(timeout=60)
        assert time.monotonic() - started >= 0.05
    quiet.close()
    assert not released.acquire(blocking=False)


def test_a_use_while_waiting_delays_the_release(released: threading.Semaphore) -> None:
    quiet = ReleaseWhenQuiet(0.2)
    quiet.used()
    time.sleep(0.1)
    last = time.monotonic()
    quiet.used()
    assert released.acquire(timeout=60)
    assert time.monotonic() - last >= 0.2


def test_nothing_is_released_after_closing(released: threading.Semaphore) -> None:
    quiet = ReleaseWhenQuiet(0.05)
    quiet.used()
    quiet.close()
    assert not released.acquire(timeout=0.3)
