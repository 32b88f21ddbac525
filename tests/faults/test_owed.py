"""What was reported and could not be indexed is kept until it has been, whatever else succeeds meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sightline.embedding import embed_passages
from sightline.embedding.model_registry import ModelRegistry
from sightline.indexing.gate import Gate
from sightline.indexing.index_files import IndexFiles
from sightline.indexing.parser_pool import ParserPool
from sightline.indexing.updater import Updater
from sightline.indexing.worker import Worker
from sightline.settings.tree import Settings
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.records import FileChange, FileDraft
from sightline.stores.memory.memory_index import MemoryIndex
from tests.faults.harness import Session, assert_true, session

_ONE = "def reported_while_away(user):\n    return user\n"
_TWO = "def saved_in_the_pause(user):\n    return user\n"


def _fails_once(method: Callable[..., Any], error: Exception) -> Callable[..., Any]:
    left = [error]

    def wrapped(*arguments: Any, **named: Any) -> Any:
        if left:
            raise left.pop()
        return method(*arguments, **named)

    return wrapped


def _assert_complete(running: Session) -> None:
    """Nobody helps: the index becomes ready by itself and lacks nothing."""
    running.until(lambda: running.folder.state == "ready")
    assert running.find("saved_in_the_pause")[:1] == ["src/two.py"]
    assert_true(running)


@pytest.mark.parametrize("walk", [False, True])
def test_a_folder_away_for_a_moment_loses_no_event(project: Path, walk: bool) -> None:
    away = project.with_name("away")
    with session(project) as running:
        project.rename(away)
        (away / "src" / "one.py").write_text(_ONE)
        running.folder.reindex() if walk else running.folder.changed([project / "src" / "one.py"])
        running.until(lambda: running.folder.state == "degraded")
        away.rename(project)
        running.save("src/two.py", _TWO)
        running.settle()
        assert "src/two.py" in running.find("saved_in_the_pause")
        _assert_complete(running)
        assert "src/one.py" in running.find("reported_while_away")
        assert running.told_about("is not there") == 1, running.told


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ValueError("unforeseen")])
def test_a_save_that_cannot_be_stored_is_owed(
    project: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Catalog.store

    def fail(catalog: Catalog, draft: FileDraft) -> FileChange:
        if draft.path == "src/one.py":
            raise error
        return store(catalog, draft)

    with session(project) as running:
        monkeypatch.setattr(Catalog, "store", fail)
        running.save("src/one.py", _ONE)
        running.settle()
        running.save("src/two.py", _TWO)
        running.settle()
        running.until(lambda: running.folder.state == "degraded")
        assert running.find("saved_in_the_pause")[:1] == ["src/two.py"]
        monkeypatch.setattr(Catalog, "store", store)
        _assert_complete(running)
        assert len(running.told) == 1, running.told


def test_what_was_stored_and_did_not_reach_the_memory_is_read_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session(project) as running:
        monkeypatch.setattr(MemoryIndex, "apply", _fails_once(MemoryIndex.apply, MemoryError()))
        running.save("src/one.py", _ONE)
        running.settle()
        running.save("src/two.py", _TWO)
        _assert_complete(running)


def test_vectors_that_could_not_be_made_are_made_later(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session(project) as running:
        embed = _fails_once(embed_passages, MemoryError())
        monkeypatch.setattr("sightline.indexing.embedding_queue.embed_passages", embed)
        running.save("src/one.py", _ONE)
        running.settle()
        running.save("src/two.py", _TWO)
        _assert_complete(running)


def test_a_cancelled_save_is_not_called_ready(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with session(project) as running:
        parsers = Updater._parser_pool

        def stop_at_once(updater: Updater) -> ParserPool:
            running.folder.cancel()
            return parsers(updater)

        monkeypatch.setattr(Updater, "_parser_pool", stop_at_once)
        running.save("src/one.py", _ONE)
        running.settle()
        monkeypatch.setattr(Updater, "_parser_pool", parsers)
        running.save("src/two.py", _TWO)
        running.settle()
        assert running.folder.state == "degraded"
        assert "reindex" in running.folder.reason
        running.heal()
        _assert_complete(running)


def test_an_index_that_cannot_be_deleted_goes_on_answering_and_is_cleared_later(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session(project) as running:
        delete = IndexFiles.delete

        def refuse(files: IndexFiles) -> None:
            raise PermissionError(13, "another program has it open")

        monkeypatch.setattr(IndexFiles, "delete", refuse)
        running.folder.clear()
        running.settle()
        running.until(lambda: running.folder.state == "degraded")
        assert running.find("user")
        monkeypatch.setattr(IndexFiles, "delete", delete)
        running.until(lambda: not running.folder.status().files_indexed)
        running.until(lambda: "cleared" in running.folder.reason)
        assert running.folder.status().writer
        assert len(running.told) == 1, running.told


def test_an_index_that_cannot_be_opened_is_tried_again_in_its_own_time(project: Path) -> None:
    worker = Worker(project, Settings(), Gate(), ModelRegistry(project), lambda event: None)
    worker.jobs.add(reconcile=True)
    assert worker.jobs.take(0)
    worker.jobs.fail()
    worker.jobs.end()
    worker._idle_work()
    assert worker.jobs.idle
    assert worker.jobs.owed


def test_reindexing_right_after_clearing_is_not_lost(project: Path) -> None:
    with session(project) as running:
        running.folder.clear()
        running.folder.reindex()
        running.settle()
        running.until(lambda: running.folder.state == "ready")
        assert_true(running)
