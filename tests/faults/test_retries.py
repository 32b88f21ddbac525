"""Changes that could not be indexed stay pending until they are, even if other jobs succeed meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from tests.faults.harness import Session, assert_consistent, session

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
    """Assert that the index becomes ready without further events and is complete."""
    running.until(lambda: running.folder.state == "ready")
    assert running.find("saved_in_the_pause")[:1] == ["src/two.py"]
    assert_consistent(running)


@pytest.mark.parametrize("walk", [False, True])
def test_no_event_is_lost_while_the_folder_is_missing(project: Path, walk: bool) -> None:
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
        assert running.count_messages("does not exist") == 1, running.messages


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ValueError("unforeseen")])
def test_a_save_that_cannot_be_stored_is_retried(
    project: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Catalog.store

    def fail(catalog: Catalog, drafts: Sequence[FileDraft]) -> list[FileChange]:
        if any(draft.path == "src/one.py" for draft in drafts):
            raise error
        return store(catalog, drafts)

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
        assert len(running.messages) == 1, running.messages


def test_a_stored_change_that_did_not_reach_the_memory_index_is_retried(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session(project) as running:
        monkeypatch.setattr(MemoryIndex, "apply", _fails_once(MemoryIndex.apply, MemoryError()))
        running.save("src/one.py", _ONE)
        running.settle()
        running.save("src/two.py", _TWO)
        _assert_complete(running)


def test_failed_embeddings_are_retried(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with session(project) as running:
        embed = _fails_once(embed_passages, MemoryError())
        monkeypatch.setattr("sightline.indexing.embedding_queue.embed_passages", embed)
        running.save("src/one.py", _ONE)
        running.settle()
        running.save("src/two.py", _TWO)
        _assert_complete(running)


def test_a_cancelled_save_is_not_reported_as_ready(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with session(project) as running:
        parsers = Updater._parser_pool

        def cancel_first(updater: Updater) -> ParserPool:
            running.folder.cancel()
            return parsers(updater)

        monkeypatch.setattr(Updater, "_parser_pool", cancel_first)
        running.save("src/one.py", _ONE)
        running.settle()
        monkeypatch.setattr(Updater, "_parser_pool", parsers)
        running.save("src/two.py", _TWO)
        running.settle()
        assert running.folder.state == "degraded"
        assert "reindex" in running.folder.reason
        running.reconcile()
        _assert_complete(running)


def test_an_index_that_cannot_be_deleted_still_answers_and_is_cleared_later(
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
        assert len(running.messages) == 1, running.messages


def test_an_index_that_cannot_be_opened_is_not_retried_before_its_delay(project: Path) -> None:
    worker = Worker(project, Settings(), Gate(), ModelRegistry(project), lambda event: None, lambda: None)
    worker.jobs.add(reconcile=True)
    assert worker.jobs.take(0)
    worker.jobs.fail()
    worker.jobs.end()
    worker._idle_work()
    assert worker.jobs.idle
    assert worker.jobs.retry_pending


def test_reindexing_right_after_clearing_is_not_lost(project: Path) -> None:
    with session(project) as running:
        running.folder.clear()
        running.folder.reindex()
        running.settle()
        running.until(lambda: running.folder.state == "ready")
        assert_consistent(running)
