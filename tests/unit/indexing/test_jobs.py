"""The job queue of a folder: jobs are merged, and none is dropped before it is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.indexing.jobs import Job, Jobs

_ONE, _TWO = Path("one"), Path("two")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that the queue sees; a test advances it."""
    now = [0.0]
    monkeypatch.setattr("sightline.indexing.jobs.time.monotonic", lambda: now[0])
    return now


def _failed(queue: Jobs, *paths: Path) -> None:
    queue.add(paths)
    assert queue.take(0)
    queue.fail()
    queue.end()


def test_pending_events_are_merged_into_one_job() -> None:
    queue = Jobs()
    queue.add([_ONE])
    queue.add([_TWO])
    assert queue.take(0) == Job({_ONE, _TWO})
    assert queue.take(0) is None


def test_a_failed_job_is_retried_with_exponential_backoff(clock: list[float]) -> None:
    queue = Jobs()
    _failed(queue, _ONE)
    for pause in (1.0, 2.0, 4.0):
        assert queue.idle
        assert queue.retry_pending
        clock[0] += pause - 0.01
        assert queue.take(0) is None
        clock[0] += 0.01
        assert queue.take(0) == Job({_ONE})
        assert not queue.idle
        queue.fail()
        queue.end()


def test_a_save_during_the_backoff_neither_waits_nor_ends_it(clock: list[float]) -> None:
    queue = Jobs()
    _failed(queue, _ONE)
    queue.add([_TWO])
    assert queue.take(0) == Job({_TWO})
    queue.done()
    queue.end()
    assert queue.retry_pending
    clock[0] += 1
    assert queue.take(0) == Job({_ONE})
    queue.done()
    queue.end()
    assert not queue.retry_pending


def test_a_failure_during_the_backoff_is_retried_and_does_not_extend_it(clock: list[float]) -> None:
    queue = Jobs()
    _failed(queue, _ONE)
    clock[0] += 0.5
    _failed(queue, _TWO)
    clock[0] += 0.5
    assert queue.take(0) == Job({_ONE, _TWO})


def test_continuous_saves_do_not_starve_the_retry(clock: list[float]) -> None:
    queue = Jobs()
    _failed(queue, _ONE)
    clock[0] += 1
    queue.add([_TWO])
    assert queue.take(0) == Job({_ONE})


@pytest.mark.parametrize(
    ("pending", "done", "left"),
    [
        (Job({_ONE, _TWO}), Job({_ONE}), Job({_TWO})),
        (Job({_ONE}), Job(reconcile=True), Job()),
        (Job(reconcile=True), Job({_ONE}), Job(reconcile=True)),
        (Job({_ONE}, force=True), Job(reconcile=True), Job(force=True)),
        (Job(reopen=True), Job(force=True), Job(reopen=True)),
        (Job({_ONE}, force=True), Job(clear=True), Job()),
    ],
)
def test_a_finished_job_is_no_longer_retried(pending: Job, done: Job, left: Job) -> None:
    assert pending.without(done) == left


def test_a_job_requested_after_clearing_runs_after_it() -> None:
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


def test_a_stopped_job_is_not_retried() -> None:
    queue = Jobs()
    queue.add([_ONE])
    assert queue.take(0)
    queue.drop()
    queue.end()
    assert not queue.retry_pending
    assert queue.idle
