"""Indexing yields to searches, and never for ever."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from sightline.indexing import gate
from sightline.indexing.gate import Gate

# Longer than any wait that is meant to end by itself.
_LONG = 60.0


@contextmanager
def _yielding(passed: Gate, stop: threading.Event) -> Iterator[threading.Event]:
    """A thread that yields once; the event is set when it goes on."""
    went_on = threading.Event()

    def work() -> None:
        passed.yield_to_foreground(stop)
        went_on.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    yield went_on
    thread.join(_LONG)
    assert not thread.is_alive()


def test_a_save_waits_for_the_search_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_SHORTEST_WAIT", _LONG)
    passed, search = Gate(), ExitStack()
    search.enter_context(passed.foreground())
    with _yielding(passed, threading.Event()) as went_on:
        assert not went_on.wait(0.2)
        search.close()
        assert went_on.wait(_LONG)


def test_a_save_goes_on_although_searches_never_end() -> None:
    passed = Gate()
    with passed.foreground(), _yielding(passed, threading.Event()) as went_on:
        assert went_on.wait(_LONG)


def test_a_save_that_is_stopped_goes_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_SHORTEST_WAIT", 10 * _LONG)
    passed, stop = Gate(), threading.Event()
    stop.set()
    with passed.foreground(), _yielding(passed, stop) as went_on:
        assert went_on.wait(_LONG)
