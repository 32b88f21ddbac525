"""The write-behind queue of a real Chroma: in the end Chroma holds exactly what the source holds."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from sightline.stores.vectors.chroma import ChromaStore, StoreUnavailable
from sightline.stores.vectors.chroma_writer import ChromaWriter
from tests.damage import cut
from tests.unit.stores.chroma_server import ChromaServer
from tests.unit.stores.vector_samples import DIM, Source

NAME = "chunks"
# Only a limit for hanging tests; a busy machine can be slow.
TIMEOUT_SECONDS = 240.0


@contextmanager
def running(place: Path | str, source: Source, notices: list[str] | None = None) -> Iterator[ChromaWriter]:
    received = notices if notices is not None else []
    chroma_writer = ChromaWriter(place, NAME, DIM, source, received.append, idle_seconds=0.05)
    chroma_writer.start()
    try:
        yield chroma_writer
    finally:
        chroma_writer.close()


def held(place: Path | str) -> set[int]:
    store = ChromaStore.open(place, NAME, DIM)
    try:
        return store.keys()
    finally:
        store.close()


def eventually(condition: Callable[[], bool], seconds: float = TIMEOUT_SECONDS) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def settled(chroma_writer: ChromaWriter) -> bool:
    return chroma_writer.unwritten() == set() and not chroma_writer.error


def failing(chroma_writer: ChromaWriter, vector: NDArray[np.float32]) -> bool:
    try:
        chroma_writer.query(vector, 1)
    except StoreUnavailable:
        return True
    return False


def worker(chroma_writer: ChromaWriter) -> int:
    assert chroma_writer._store is not None
    return chroma_writer._store.pid


def test_starting_writes_missing_vectors_and_removes_deleted_ones(tmp_path: Path) -> None:
    source = Source()
    keys = source.fill(50, seed=1)
    with running(tmp_path / "chroma", source) as chroma_writer:
        assert chroma_writer.drain(TIMEOUT_SECONDS)
        assert chroma_writer.query(source.vectors[keys[3]], 1)[0][0] == keys[3]
    assert held(tmp_path / "chroma") == source.chunk_keys()
    for key in keys[:20]:
        del source.vectors[key]
    source.fill(10, seed=2)
    with running(tmp_path / "chroma", source) as chroma_writer:
        assert chroma_writer.drain(TIMEOUT_SECONDS)
    assert held(tmp_path / "chroma") == source.chunk_keys()


def test_requests_are_written_without_another_call(tmp_path: Path) -> None:
    source = Source()
    with running(tmp_path / "chroma", source) as chroma_writer:
        keys = source.fill(30, seed=3)
        chroma_writer.enqueue(add=keys)
        gone, kept = keys[:5], keys[5:]
        for key in gone:
            del source.vectors[key]
        chroma_writer.enqueue(remove=gone)
        assert eventually(lambda: settled(chroma_writer))
    assert held(tmp_path / "chroma") == set(kept)


def test_a_key_that_is_removed_and_added_again_stays(tmp_path: Path) -> None:
    source = Source()
    with running(tmp_path / "chroma", source) as chroma_writer:
        keys = source.fill(3, seed=4)
        chroma_writer.enqueue(add=keys)
        chroma_writer.enqueue(remove=keys)
        chroma_writer.enqueue(add=keys)
        assert chroma_writer.drain(TIMEOUT_SECONDS)
    assert held(tmp_path / "chroma") == set(keys)


def test_a_request_for_a_deleted_vector_is_not_an_error(tmp_path: Path) -> None:
    with running(tmp_path / "chroma", Source()) as chroma_writer:
        chroma_writer.enqueue(add=[1, 2, 3])
        assert chroma_writer.drain(TIMEOUT_SECONDS)
        assert chroma_writer.error == ""
    assert held(tmp_path / "chroma") == set()


def test_closing_writes_the_pending_vectors(tmp_path: Path) -> None:
    source = Source()
    chroma_writer = ChromaWriter(tmp_path / "chroma", NAME, DIM, source, idle_seconds=3600)
    chroma_writer.start()
    assert chroma_writer.drain(TIMEOUT_SECONDS)
    chroma_writer.enqueue(add=source.fill(20, seed=5))
    chroma_writer.close(TIMEOUT_SECONDS)
    assert held(tmp_path / "chroma") == source.chunk_keys()


def test_a_worker_that_dies_during_a_batch_is_replaced_without_loss(tmp_path: Path) -> None:
    source = Source()
    notices: list[str] = []
    with running(tmp_path / "chroma", source, notices) as chroma_writer:
        assert chroma_writer.drain(TIMEOUT_SECONDS)
        deaths = [worker(chroma_writer)]

        def die_once() -> None:
            if deaths:
                os.kill(deaths.pop(), signal.SIGTERM)

        source.before_fetch = die_once
        chroma_writer.enqueue(add=source.fill(200, seed=6))
        assert eventually(lambda: not deaths and settled(chroma_writer))
    assert held(tmp_path / "chroma") == source.chunk_keys()
    assert len(notices) == 1


def test_a_dead_worker_detected_only_by_a_query_is_replaced(tmp_path: Path) -> None:
    source = Source()
    keys = source.fill(10, seed=17)
    with running(tmp_path / "chroma", source) as chroma_writer:
        assert chroma_writer.drain(TIMEOUT_SECONDS)
        first = worker(chroma_writer)
        os.kill(first, signal.SIGTERM)
        assert eventually(lambda: failing(chroma_writer, source.vectors[keys[0]]))
        assert eventually(
            lambda: settled(chroma_writer) and not failing(chroma_writer, source.vectors[keys[0]])
        )
        assert worker(chroma_writer) != first
        assert chroma_writer.query(source.vectors[keys[0]], 1)[0][0] == keys[0]


def test_a_folder_deleted_while_open_is_rebuilt_completely(tmp_path: Path) -> None:
    source = Source()
    source.fill(100, seed=7)
    notices: list[str] = []
    with running(tmp_path / "chroma", source, notices) as chroma_writer:
        assert chroma_writer.drain(TIMEOUT_SECONDS)
        shutil.rmtree(tmp_path / "chroma")
        chroma_writer.enqueue(add=source.fill(5, seed=8))
        assert eventually(lambda: (tmp_path / "chroma").exists() and settled(chroma_writer))
    assert held(tmp_path / "chroma") == source.chunk_keys()
    assert any("removed or replaced" in notice for notice in notices)


@pytest.mark.parametrize(
    ("name", "damage"),
    [("data_level0.bin", cut), ("index_metadata.pickle", Path.unlink)],
    ids=["vectors-cut", "names-gone"],
)
def test_an_index_that_opens_but_lost_vectors_is_rebuilt(
    tmp_path: Path, name: str, damage: Callable[[Path], None]
) -> None:
    source = Source()
    keys = source.fill(5500, seed=9)
    with running(tmp_path / "chroma", source) as chroma_writer:
        assert chroma_writer.drain(TIMEOUT_SECONDS)
    damage(next((tmp_path / "chroma").rglob(name)))
    notices: list[str] = []
    with running(tmp_path / "chroma", source, notices) as chroma_writer:
        assert eventually(lambda: settled(chroma_writer))
        found = sum(chroma_writer.query(source.vectors[key], 1)[0][0] == key for key in keys[::500])
        assert found == len(keys[::500])
    assert any("moved to chroma.damaged-1" in notice for notice in notices)


def test_reading_from_a_failing_source_is_retried(tmp_path: Path) -> None:
    source = Source()
    failures = [OSError("database is closed")]

    def fail_once() -> None:
        if failures:
            raise failures.pop()

    source.before_fetch = fail_once
    source.fill(10, seed=10)
    with running(tmp_path / "chroma", source) as chroma_writer:
        assert eventually(lambda: not failures and settled(chroma_writer))
    assert held(tmp_path / "chroma") == source.chunk_keys()


def test_queries_fail_before_the_store_is_open(tmp_path: Path) -> None:
    source = Source()
    keys = source.fill(1, seed=11)
    chroma_writer = ChromaWriter(tmp_path / "chroma", NAME, DIM, source)
    assert chroma_writer.unwritten() is None
    with pytest.raises(StoreUnavailable):
        chroma_writer.query(source.vectors[keys[0]], 1)
    chroma_writer.close()


def test_writing_recovers_after_an_outage_of_the_server(tmp_path: Path) -> None:
    server = ChromaServer(tmp_path / "server")
    source = Source()
    source.fill(40, seed=12)
    notices: list[str] = []
    server.start()
    try:
        with running(server.url, source, notices) as chroma_writer:
            assert chroma_writer.drain(TIMEOUT_SECONDS)
            server.stop()
            chroma_writer.enqueue(add=source.fill(10, seed=13))
            assert eventually(lambda: bool(chroma_writer.error))
            chroma_writer.enqueue(add=source.fill(10, seed=14))
            server.start()
            assert eventually(lambda: settled(chroma_writer))
        assert held(server.url) == source.chunk_keys()
        assert notices
    finally:
        server.stop()


def test_a_shared_server_keeps_the_vectors_of_other_writers(tmp_path: Path) -> None:
    server = ChromaServer(tmp_path / "server")
    ours, theirs = Source(), Source()
    ours.fill(20, seed=15)
    theirs.fill(20, seed=16)
    server.start()
    try:
        for source in (ours, theirs):
            with running(server.url, source) as chroma_writer:
                assert chroma_writer.drain(TIMEOUT_SECONDS)
        assert held(server.url) == ours.chunk_keys() | theirs.chunk_keys()
    finally:
        server.stop()
