"""Several processes on one folder: no false alarm, every request is answered, one index at the end."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from sightline.indexing.index_files import CatalogInMotion, IndexFiles, delete_index, locate
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.coverage import IndexCoverage, write_coverage
from sightline.stores.catalog.folder_lock import FolderLock
from sightline.stores.memory.replication import follow
from sightline.stores.memory.restore import load_memory
from tests.faults.harness import CATALOG, SIGHTLINE, Session, session
from tests.faults.windows import Size, run
from tests.unit.workspace.index_state import memory_of, memory_state


def test_three_windows_agree_after_the_first_index_saves_clearing_and_reindexing() -> None:
    run(Size())


@pytest.fixture
def held(tmp_path: Path) -> IndexFiles:
    """The files of an index whose writer is another window."""
    lock = FolderLock(tmp_path / "lock")
    assert lock.try_acquire()
    files = IndexFiles(tmp_path, FolderLock(tmp_path / "lock"))
    assert not files.writer
    return files


def _create_without_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")


@pytest.mark.parametrize(
    "make",
    [lambda path: None, Path.touch, _create_without_tables, lambda path: path.write_bytes(b"half of it")],
)
def test_a_catalog_that_another_process_is_creating_is_not_reported_as_damaged(
    held: IndexFiles, make: object
) -> None:
    make(held.catalog)  # type: ignore[operator]  # a function of a path
    with pytest.raises(CatalogInMotion):
        held.load()
    assert not held.notes


def test_a_reader_sees_a_consistent_snapshot_of_the_catalog(project: Path) -> None:
    with session(project) as writer:
        reader = Catalog(writer.index / CATALOG, readonly=True)
        with closing(reader), reader.snapshot() as view:
            before = view.generation, view.files()
            (project / "src" / "file0.py").unlink()
            writer.save("src/new.py", "def written_meanwhile(user):\n    return user\n")
            writer.folder.changed([project / "src" / "file0.py"])
            writer.settle()
            assert (view.generation, view.files()) == before
            assert reader.generation > view.generation


def test_a_reader_follows_while_the_writer_continues(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the reader's statements the writer stores rows that contradict what the reader has read."""
    with session(project) as writer:
        reader = Catalog(writer.index / CATALOG, readonly=True)
        with closing(reader):
            memory = load_memory(reader, None)
            files = iter(sorted((project / "src").iterdir()))
            rows = Catalog.rows

            def write_first(catalog: Catalog, file_id: int) -> list[tuple[object, ...]]:
                path = next(files, None)
                if path is not None and catalog is not memory_of(writer.folder).catalog:
                    writer.save(f"src/{path.name}", f"def {path.stem}_again(user):\n    return user\n")
                    writer.settle()
                return rows(catalog, file_id)

            for number in range(3):
                writer.save(f"src/file{3 * number}.py", f"def changed_{number}(user):\n    return user\n")
            writer.settle()
            monkeypatch.setattr(Catalog, "rows", write_first)
            assert follow(memory)
            monkeypatch.setattr(Catalog, "rows", rows)
            while follow(memory):
                pass
            expected = memory_state(memory_of(writer.folder))
            for name in ("symbols", "keywords"):
                assert memory_state(memory)[name] == expected[name]


def test_a_second_window_reports_that_the_first_is_indexing(project: Path) -> None:
    with session(project) as first:
        write_coverage(memory_of(first.folder).catalog, IndexCoverage("indexing", 99))
        with session(project) as second:
            second.until(lambda: second.folder.state == "indexing")
            assert second.folder.reason == ""
            assert f"Process {os.getpid()} is indexing" in second.folder.notice
            assert second.folder.status().files_total == 99
            answered = subprocess.run(
                [*SIGHTLINE, "search", "user", str(project)], capture_output=True, text=True, check=True
            )
            assert "is indexing this folder" in answered.stderr
            assert "stopped" not in answered.stderr
            write_coverage(memory_of(first.folder).catalog, IndexCoverage("complete", 12))
            second.until(lambda: second.folder.state == "ready")
            first.folder.clear()
            second.until(lambda: "cleared" in second.folder.reason)
            first.folder.reindex()
            second.until(lambda: second.folder.state == "ready")
            assert second.messages == []


def test_clearing_keeps_the_lock_file_that_others_wait_for(project: Path) -> None:
    with session(project) as first, session(project) as second:
        before = (first.index / "lock").stat().st_ino
        first.folder.clear()
        first.settle()
        assert (first.index / "lock").stat().st_ino == before
        assert first.folder.status().writer
        assert not FolderLock(first.index / "lock").try_acquire()
        assert not second.folder.status().writer


def test_clearing_keeps_the_lock_of_a_vector_store_that_is_still_written(project: Path) -> None:
    with session(project) as running:
        # The process of the store may need longer to end than clearing waits for it.
        lock = FolderLock(running.index / "chroma.lock")
        assert lock.try_acquire()
        running.folder.clear()
        running.settle()
        assert not lock.lost
        lock.release()


def test_an_index_in_use_is_not_deleted(project: Path) -> None:
    with session(project) as running:
        assert not delete_index(running.index)
        assert (running.index / CATALOG).exists()
    assert delete_index(running.index)
    assert not running.index.exists()


def test_a_lock_on_a_deleted_file_counts_as_lost(tmp_path: Path) -> None:
    old, new = FolderLock(tmp_path / "lock"), FolderLock(tmp_path / "lock")
    assert old.try_acquire()
    assert not old.lost
    (tmp_path / "lock").unlink()
    assert old.lost
    assert new.try_acquire()
    old.release()
    assert not FolderLock(tmp_path / "lock").try_acquire()


def test_a_cache_removed_while_two_windows_are_open_leaves_one_writer(project: Path) -> None:
    one = Session(project)
    # Without this wait either session could become the writer.
    one.settle()
    two = Session(project)
    try:
        two.until(lambda: two.folder.state == "ready")
        for path in [*one.index.iterdir()]:
            path.unlink() if path.is_file() else None
        two.until(lambda: two.folder.status().writer and two.folder.state == "ready")
        one.save("src/new.py", "def after_the_removal(user):\n    return user\n")
        one.settle()
        two.folder.changed([project / "src" / "new.py"])
        one.until(lambda: one.folder.state == "ready" and "src/new.py" in one.find("after_the_removal"))
        assert [one.folder.status().writer, two.folder.status().writer] == [False, True]
        assert not (one.index / "damaged").exists()
        assert locate(project).writer is False
    finally:
        one.close()
        two.close()
