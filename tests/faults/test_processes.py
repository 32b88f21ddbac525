"""Killed processes, and two processes on one folder."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.harness import (
    CATALOG,
    SIGHTLINE,
    Session,
    assert_consistent,
    fresh_state,
    session,
    write_project,
)
from tests.lsp.raw_client import RawClient
from tests.unit.workspace.index_state import state

_KILLS = 4
_NEW = "def said_by_the_first(user):\n    return user\n"


@pytest.fixture
def first(project: Path) -> Iterator[RawClient]:
    """A language server in a separate process with the project open."""
    client = RawClient(project.parent)
    client.start(project)
    client.wait_ready()
    yield client
    client.end()


def test_indexing_killed_at_any_moment_is_resumed(project: Path) -> None:
    write_project(project, files=90)
    rng = random.Random(1)
    for _ in range(_KILLS):
        process = subprocess.Popen([*SIGHTLINE, "index", str(project)], stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.3, 2.5))
        process.kill()
        process.wait()
    with session(project) as running:
        running.reconcile()
        assert running.messages == []
        assert_consistent(running)


@pytest.mark.parametrize("end", [RawClient.stop, lambda client: client.process.send_signal(signal.SIGKILL)])
def test_a_second_process_answers_follows_and_becomes_the_writer(
    project: Path, first: RawClient, end: Callable[[RawClient], object]
) -> None:
    with session(project) as second:
        assert not second.folder.status().writer
        assert second.find("user")
        first.save("src/new.py", _NEW)
        second.until(lambda: second.find("said_by_the_first")[:1] == ["src/new.py"])
        (project / "lib" / "file1.go").unlink()
        end(first)
        second.until(lambda: second.folder.status().writer)
        second.reconcile()
        second.save("src/own.py", "def said_by_the_second(user):\n    return user\n")
        second.settle()
        assert "src/own.py" in second.find("said_by_the_second")
        assert second.messages == []
        assert_consistent(second)


def test_the_last_write_is_not_lost_when_the_second_process_becomes_the_writer(project: Path) -> None:
    one, two = Session(project), Session(project)
    try:
        one.settle()
        two.until(lambda: two.folder.state == "ready")
        # The first session closes before the second one polls again.
        one.save("src/new.py", _NEW)
        one.settle()
        one.close()
        two.until(lambda: two.folder.status().writer)
        two.reconcile()
        assert_consistent(two)
    finally:
        one.close()
        two.close()


@pytest.mark.parametrize("cleared", [True, False])
def test_a_second_window_follows_into_a_new_catalog(project: Path, cleared: bool) -> None:
    with session(project) as one, session(project) as two:
        if cleared:
            one.folder.clear()
        else:
            (one.index / CATALOG).write_bytes(b"no database")
        one.settle()
        one.reconcile()
        one.save("src/new.py", _NEW)
        two.until(lambda: two.find("said_by_the_first")[:1] == ["src/new.py"])
        one.settle()
        # The second session polls once a second, so it may not have the last write of the first yet.
        fresh = fresh_state(project)
        two.until(lambda: two.folder.state == "ready" and state(two.folder) == fresh)
        assert two.find("user")


def test_a_stopped_server_answers_after_sigcont(project: Path, first: RawClient) -> None:
    first.process.send_signal(signal.SIGSTOP)
    first.save("src/new.py", _NEW)
    asked = first.ask("workspace/semanticSearch", {"query": "user"})
    time.sleep(0.5)
    first.process.send_signal(signal.SIGCONT)
    assert first.answer(asked)["result"]["results"]
    assert first.stop() == 0
    with session(project) as running:
        assert_consistent(running)
