"""Chroma's folder truncated, garbled or deleted: it is derived data, so it is rebuilt and nothing is lost."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from sightline.stores.vectors.chroma_writer import ChromaWriter
from tests.damage import cut, garble
from tests.faults.harness import THROUGH_CHROMA, Session, assert_consistent, session


def _cut(folder: Path) -> None:
    for file in filter(Path.is_file, folder.rglob("*")):
        cut(file)


def _garble(folder: Path) -> None:
    for file in filter(Path.is_file, folder.rglob("*")):
        garble(file)


def _copied(running: Session) -> bool:
    """Whether Chroma has every vector of the index."""
    assert running.folder.memory is not None
    wanted = len(set(running.folder.memory.rows["key"][running.folder.memory.rows["alive"]].tolist()))
    try:
        with closing(sqlite3.connect(running.index / "chroma" / "chroma.sqlite3")) as database:
            return bool(database.execute("SELECT count(*) FROM embeddings").fetchone()[0] == wanted)
    except sqlite3.Error:
        return False


@pytest.mark.parametrize("damage", [_cut, _garble, shutil.rmtree])
def test_a_store_damaged_while_closed_is_rebuilt(project: Path, damage: Callable[[Path], None]) -> None:
    with session(project, THROUGH_CHROMA) as running:
        running.until(lambda: _copied(running))
    damage(running.index / "chroma")
    with session(project, THROUGH_CHROMA) as running:
        running.until(lambda: _copied(running))
        assert len(running.messages) <= 1, running.messages
        assert running.folder.state == "ready"
        assert_consistent(running)


@pytest.mark.parametrize("damage", [_cut, shutil.rmtree])
def test_a_store_damaged_while_open_is_rebuilt(project: Path, damage: Callable[[Path], None]) -> None:
    with session(project, THROUGH_CHROMA) as running:
        running.until(lambda: _copied(running))
        damage(running.index / "chroma")
        running.save("src/new.py", "def after_the_damage(user):\n    return user\n")
        running.settle()
        assert running.find("after_the_damage")[:1] == ["src/new.py"]
        running.until(lambda: _copied(running))
        assert running.messages
        assert_consistent(running)


class _CatalogClosedDuringRead:
    """A catalog that is closed while Chroma's writer reads it."""

    def __init__(self) -> None:
        self.asked, self.closed = threading.Event(), threading.Event()

    def chunk_keys(self) -> set[int]:
        """Block until the catalog is closed, then raise the error of a closed catalog."""
        self.asked.set()
        self.closed.wait()
        raise sqlite3.ProgrammingError("Cannot operate on a closed database.")

    def vectors_of(self, keys: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return no vectors."""
        return np.zeros(0, np.int64), np.zeros((0, 8), np.float32)


def test_closing_during_a_comparison_reports_no_problem(tmp_path: Path) -> None:
    reported: list[str] = []
    source = _CatalogClosedDuringRead()
    writer = ChromaWriter(tmp_path / "chroma", "chunks", 8, source, reported.append)
    before = set(threading.enumerate())
    writer.start()
    assert source.asked.wait(120)
    writer.close(timeout=0.1)
    source.closed.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
    assert reported == []


class _SlowSource:
    """A source whose vectors arrive only when they are released."""

    def __init__(self) -> None:
        self.asked, self.released = threading.Event(), threading.Event()

    def chunk_keys(self) -> set[int]:
        """The keys of two vectors."""
        return {1, 2}

    def vectors_of(self, keys: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Block until released, except for the check of a store that is opened."""
        if keys:
            self.asked.set()
            self.released.wait()
        return np.array(keys, np.int64), np.ones((len(keys), 8), np.float32)


def test_a_store_that_is_deleted_after_it_was_closed_reports_no_problem(tmp_path: Path) -> None:
    reported: list[str] = []
    source = _SlowSource()
    writer = ChromaWriter(tmp_path / "chroma", "chunks", 8, source, reported.append, idle_seconds=0)
    before = set(threading.enumerate())
    writer.start()
    assert source.asked.wait(120)
    # As when an index is cleared while its copy is being written, on a machine with much else to do.
    writer.close(timeout=0.1)
    shutil.rmtree(tmp_path / "chroma")
    source.released.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
    assert reported == []
    assert not (tmp_path / "chroma").exists()
