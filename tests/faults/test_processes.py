"""Processes that are killed, and two of them on one folder."""

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
    assert_true,
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
    """A language server in a process of its own that has the project open."""
    client = RawClient(project.parent)
    client.start(project)
    client.wait_ready()
    yield client
    client.end()


def test_indexing_killed_at_any_moment_goes_on_where_it_was(project: Path) -> None:
    write_project(project, files=90)
    rng = random.Random(1)
    for _ in range(_KILLS):
        process = subprocess.Popen([*SIGHTLINE, "index", str(project)], stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.3, 2.5))
        process.kill()
        process.wait()
    with session(project) as running:
        running.heal()
        assert running.told == []
        assert_true(running)


@pytest.mark.parametrize("end", [RawClient.stop, lambda client: client.process.send_signal(signal.SIGKILL)])
def test_a_second_process_answers_follows_and_takes_over(
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
        second.heal()
        second.save("src/own.py", "def said_by_the_second(user):\n    return user\n")
        second.settle()
        assert "src/own.py" in second.find("said_by_the_second")
        assert second.told == []
        assert_true(second)


def test_what_was_written_last_is_not_lost_when_the_second_takes_over(project: Path) -> None:
    one, two = Session(project), Session(project)
    try:
        one.settle()
        two.until(lambda: two.folder.state == "ready")
        # Closed before the second has looked again.
        one.save("src/new.py", _NEW)
        one.settle()
        one.close()
        two.until(lambda: two.folder.status().writer)
        two.heal()
        assert_true(two)
    finally:
        one.close()
        two.close()


@pytest.mark.parametrize("cleared", [True, False])
def test_a_second_window_follows_into_a_catalog_begun_afresh(project: Path, cleared: bool) -> None:
    with session(project) as one, session(project) as two:
        if cleared:
            one.folder.clear()
        else:
            (one.index / CATALOG).write_bytes(b"no database")
        one.settle()
        one.heal()
        one.save("src/new.py", _NEW)
        two.until(lambda: two.find("said_by_the_first")[:1] == ["src/new.py"])
        one.settle()
        # The second looks once a second: what the first wrote last may still be on its way.
        fresh = fresh_state(project)
        two.until(lambda: two.folder.state == "ready" and state(two.folder) == fresh)
        assert two.find("user")


def test_a_stopped_server_answers_after_it_was_continued(project: Path, first: RawClient) -> None:
    first.process.send_signal(signal.SIGSTOP)
    first.save("src/new.py", _NEW)
    asked = first.ask("workspace/semanticSearch", {"query": "user"})
    time.sleep(0.5)
    first.process.send_signal(signal.SIGCONT)
    assert first.answer(asked)["result"]["results"]
    assert first.stop() == 0
    with session(project) as running:
        assert_true(running)
