"""The queue of a folder: coalesced, and nothing in it is forgotten before it is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.indexing.jobs import Job, Jobs

_ONE, _TWO = Path("one"), Path("two")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time the queue sees; a test moves it on."""
    now = [0.0]
    monkeypatch.setattr("sightline.indexing.jobs.time.monotonic", lambda: now[0])
    return now


def _failed(queue: Jobs, *paths: Path) -> None:
    queue.add(paths)
    assert queue.take(0)
    queue.fail()
    queue.end()


def test_events_are_one_job() -> None:
    queue = Jobs()
    queue.add([_ONE])
    queue.add([_TWO])
    assert queue.take(0) == Job({_ONE, _TWO})
    assert queue.take(0) is None


def test_a_failed_job_comes_again_after_pauses_that_double(clock: list[float]) -> None:
    queue = Jobs()
    _failed(queue, _ONE)
    for pause in (1.0, 2.0, 4.0):
        assert queue.idle
        assert queue.owed
        clock[0] += pause - 0.01
        assert queue.take(0) is None
        clock[0] += 0.01
        assert queue.take(0) == Job({_ONE})
        assert not queue.idle
        queue.fail()
        queue.end()


def test_a_save_in_the_pause_neither_waits_nor_ends_it(clock: list[float]) -> None:
    queue = Jobs()
    _failed(queue, _ONE)
    queue.add([_TWO])
    assert queue.take(0) == Job({_TWO})
    queue.done()
    queue.end()
    assert queue.owed
    clock[0] += 1
    assert queue.take(0) == Job({_ONE})
    queue.done()
    queue.end()
    assert not queue.owed


def test_another_failure_in_the_pause_is_owed_as_well_and_does_not_make_it_longer(clock: list[float]) -> None:
    queue = Jobs()
    _failed(queue, _ONE)
    clock[0] += 0.5
    _failed(queue, _TWO)
    clock[0] += 0.5
    assert queue.take(0) == Job({_ONE, _TWO})


def test_saves_without_end_do_not_keep_the_owed_job_waiting(clock: list[float]) -> None:
    queue = Jobs()
    _failed(queue, _ONE)
    clock[0] += 1
    queue.add([_TWO])
    assert queue.take(0) == Job({_ONE})


@pytest.mark.parametrize(
    ("owed", "done", "left"),
    [
        (Job({_ONE, _TWO}), Job({_ONE}), Job({_TWO})),
        (Job({_ONE}), Job(reconcile=True), Job()),
        (Job(reconcile=True), Job({_ONE}), Job(reconcile=True)),
        (Job({_ONE}, force=True), Job(reconcile=True), Job(force=True)),
        (Job(reopen=True), Job(force=True), Job(reopen=True)),
        (Job({_ONE}, force=True), Job(clear=True), Job()),
    ],
)
def test_what_is_done_is_no_longer_owed(owed: Job, done: Job, left: Job) -> None:
    assert owed.without(done) == left


def test_what_is_asked_for_after_clearing_is_done_after_it() -> None:
    queue = Jobs()
    queue.add([_ONE])
    queue.add(clear=True)
    queue.add(force=True)
    assert queue.take(0) == Job(clear=True, force=True)


def test_stopping_one_job_does_not_stop_the_next() -> None:
    queue = Jobs()
    queue.cancel()
    assert not queue.stop.is_set()
    queue.add([_ONE])
    assert queue.take(0)
    queue.cancel()
    assert queue.stop.is_set()
    queue.done()
    queue.end()
    assert not queue.stop.is_set()


def test_a_stopped_job_is_not_owed() -> None:
    queue = Jobs()
    queue.add([_ONE])
    assert queue.take(0)
    queue.drop()
    queue.end()
    assert not queue.owed
    assert queue.idle
