"""Indexing lets people go first, and never for ever."""

from __future__ import annotations

import threading

import pytest

from sightline.indexing import gate
from sightline.indexing.gate import Gate

PATIENCE = 60.0


def test_a_save_lets_the_question_of_the_moment_be_answered_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_SHORTEST_WAIT", PATIENCE)
    people, passed = Gate(), threading.Event()

    def save() -> None:
        people.yield_to_foreground(threading.Event())
        passed.set()

    with people.foreground():
        saving = threading.Thread(target=save)
        saving.start()
        assert not passed.wait(0.2)
    assert passed.wait(PATIENCE)
    saving.join(PATIENCE)


def test_a_save_does_not_wait_for_somebody_who_never_stops_asking() -> None:
    people = Gate()
    with people.foreground():
        people.yield_to_foreground(threading.Event())


def test_nobody_is_waited_for_when_the_work_is_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_SHORTEST_WAIT", PATIENCE)
    people, stop = Gate(), threading.Event()
    stop.set()
    with people.foreground():
        people.yield_to_foreground(stop)
