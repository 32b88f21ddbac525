"""Indexing yields to searches, for a limited time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from sightline.indexing import gate
from sightline.indexing.gate import Gate

# Longer than any wait that is expected to end without help.
_LONG = 60.0


@contextmanager
def _yielding(passed: Gate, stop: threading.Event) -> Iterator[threading.Event]:
    """A thread that yields once; the event is set when it continues."""
    resumed = threading.Event()

    def work() -> None:
        passed.yield_to_foreground(stop)
        resumed.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    yield resumed
    thread.join(_LONG)
    assert not thread.is_alive()


def test_a_save_waits_for_the_search_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_SHORTEST_WAIT", _LONG)
    passed, search = Gate(), ExitStack()
    search.enter_context(passed.foreground())
    with _yielding(passed, threading.Event()) as resumed:
        assert not resumed.wait(0.2)
        search.close()
        assert resumed.wait(_LONG)


def test_a_save_continues_even_if_searches_never_end() -> None:
    passed = Gate()
    with passed.foreground(), _yielding(passed, threading.Event()) as resumed:
        assert resumed.wait(_LONG)


def test_a_save_that_is_stopped_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_SHORTEST_WAIT", 10 * _LONG)
    passed, stop = Gate(), threading.Event()
    stop.set()
    with passed.foreground(), _yielding(passed, stop) as resumed:
        assert resumed.wait(_LONG)
