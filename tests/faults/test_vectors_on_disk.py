"""With the packaged model a vector is in the catalog only until a snapshot has it; none is ever missed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from sightline.embedding import embed_passages
from sightline.stores.memory import snapshot
from sightline.stores.memory.image import image_vectors
from sightline.types import SearchRequest
from tests.damage import cut, garble, overwrite
from tests.faults.harness import CATALOG, Session, assert_consistent, assert_restored, session, snapshot_of
from tests.unit.embedding.small_model import make_small_model
from tests.unit.workspace.index_state import memory_of

_NEW = "def settled_quietly(user):\n    return user\n"


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were embedded."""
    texts: list[str] = []

    def note(embedder: object, batch: list[str]) -> object:
        texts.extend(batch)
        return embed_passages(embedder, batch)  # type: ignore[arg-type]  # only passed on

    monkeypatch.setattr("sightline.indexing.embedding_queue.embed_passages", note)
    return texts


def _stored(index: Path) -> int:
    with closing(sqlite3.connect(index / CATALOG)) as database:
        count: int = database.execute("SELECT count(*) FROM embeddings").fetchone()[0]
        return count


def _settle(running: Session) -> None:
    """Wait until the worker has written its snapshot; it writes another only after hundreds of chunks."""
    running.until(lambda: _stored(running.index) == 0)


def test_a_quiet_moment_moves_the_vectors_from_the_catalog_to_the_snapshot(
    project: Path, embedded: list[str]
) -> None:
    with session(project) as running:
        _settle(running)
        keys = {key for _, found, _ in image_vectors(running.index) for key in found.tolist()}
        assert keys == memory_of(running.folder).all_keys()
        running.save("src/new.py", _NEW)
        running.settle()
        assert _stored(running.index)
    embedded.clear()
    with session(project) as running:
        assert running.all_embedded
        assert embedded == []
        assert_consistent(running)


def test_a_model_that_the_user_chose_keeps_its_vectors_in_the_catalog(project: Path, tmp_path: Path) -> None:
    model = str(make_small_model(tmp_path / "model"))
    with session(project, {"embedding": {"model": model}}) as running:
        keys = memory_of(running.folder).all_keys()
    assert snapshot_of(running.root)
    assert _stored(running.index) == len(keys)


@pytest.mark.parametrize("damage", [Path.unlink, cut, garble])
def test_a_lost_snapshot_costs_embedding_again(project: Path, damage: Callable[[Path], None]) -> None:
    with session(project) as running:
        pass
    assert _stored(running.index) == 0
    damage(snapshot_of(running.root))
    with session(project) as running:
        assert_restored(running)


def test_damaged_vectors_of_a_large_snapshot_are_not_kept(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "_CHECKED_AT_ONCE", 0)
    with session(project) as running:
        pass
    path = snapshot_of(running.root)
    found = snapshot.read(path)
    assert found is not None
    codes = found.arrays["chunk_vectors.coarse"][:4].tobytes()
    overwrite(path, path.read_bytes().index(codes), len(codes))
    with session(project) as running:
        assert running.all_embedded
        assert_consistent(running)


def test_a_rebuilt_memory_index_keeps_the_vectors(project: Path, embedded: list[str]) -> None:
    with session(project) as running:
        _settle(running)
        embedded.clear()
        running.folder._worker.index.memory.generation -= 1  # type: ignore[union-attr]  # it is open
        running.reconcile()
        assert embedded == []
        assert running.all_embedded
        assert_consistent(running)


def test_a_second_window_has_the_vectors_that_left_the_catalog_before_it_looked(project: Path) -> None:
    with session(project) as writer, session(project) as reader:
        _settle(writer)
        reader.until(lambda: reader.all_embedded)
        for number in range(3):
            writer.save(f"src/new{number}.py", _NEW.replace("quietly", f"quietly_{number}"))
            writer.settle()
            writer.save_snapshot()
            assert _stored(writer.index) == 0
        wanted = memory_of(writer.folder).live
        reader.until(lambda: memory_of(reader.folder).live == wanted and reader.all_embedded)
        found = reader.workspace.search(SearchRequest("settled quietly", mode="semantic"))
        assert "src/new2.py" in [hit.path for hit in found.hits]
        assert_consistent(reader)


def test_a_second_window_keeps_its_vectors_if_the_snapshot_cannot_be_read(project: Path) -> None:
    with session(project) as writer, session(project) as reader:
        _settle(writer)
        reader.until(lambda: reader.all_embedded)
        writer.save_snapshot()
        # As a new file: the writer has mapped the one that it wrote.
        path = snapshot_of(writer.root)
        raw = path.read_bytes()
        path.unlink()
        path.write_bytes(raw[: len(raw) // 2])
        writer.save("src/new.py", _NEW)
        writer.settle()
        reader.until(lambda: "src/new.py" in reader.find("settled_quietly"))
        reader.until(lambda: reader.all_embedded)
        assert reader.messages == []


def test_vectors_read_back_from_a_snapshot_are_encoded_to_the_same_codes(project: Path) -> None:
    with session(project) as running:
        memory = memory_of(running.folder)
    for _, keys, vectors in image_vectors(running.index):
        again, before = memory.vectors_of(keys.tolist())
        assert again.tolist() == sorted(keys.tolist())
        stored = vectors.astype(np.float16).astype(np.float32)[np.argsort(keys)]
        assert np.abs(stored - before).max() < 1e-3
