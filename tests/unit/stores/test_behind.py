"""The writer behind, over a real Chroma: in the end it holds exactly what the source holds."""

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

from sightline.stores.behind import Behind
from sightline.stores.chroma import ChromaStore, StoreUnavailable
from tests.damage import cut
from tests.unit.stores.chroma_server import ChromaServer
from tests.unit.stores.vector_samples import DIM, Source

NAME = "chunks"
# Only a bound for what hangs: a busy machine may take its time.
PATIENCE = 240.0


@contextmanager
def running(place: Path | str, source: Source, notices: list[str] | None = None) -> Iterator[Behind]:
    told = notices if notices is not None else []
    behind = Behind(place, NAME, DIM, source, told.append, idle_seconds=0.05)
    behind.start()
    try:
        yield behind
    finally:
        behind.close()


def held(place: Path | str) -> set[int]:
    store = ChromaStore.open(place, NAME, DIM)
    try:
        return store.keys()
    finally:
        store.close()


def eventually(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def settled(behind: Behind) -> bool:
    return behind.unwritten() == set() and not behind.error


def failing(behind: Behind, vector: NDArray[np.float32]) -> bool:
    try:
        behind.query(vector, 1)
    except StoreUnavailable:
        return True
    return False


def worker(behind: Behind) -> int:
    assert behind._store is not None
    return behind._store.pid


def test_starting_writes_what_is_missing_and_removes_what_is_gone(tmp_path: Path) -> None:
    source = Source()
    keys = source.fill(50, seed=1)
    with running(tmp_path / "chroma", source) as behind:
        assert behind.drain(PATIENCE)
        assert behind.query(source.vectors[keys[3]], 1)[0][0] == keys[3]
    assert held(tmp_path / "chroma") == source.keys()
    for key in keys[:20]:
        del source.vectors[key]
    source.fill(10, seed=2)
    with running(tmp_path / "chroma", source) as behind:
        assert behind.drain(PATIENCE)
    assert held(tmp_path / "chroma") == source.keys()


def test_wishes_are_fulfilled_without_being_asked_again(tmp_path: Path) -> None:
    source = Source()
    with running(tmp_path / "chroma", source) as behind:
        keys = source.fill(30, seed=3)
        behind.want(add=keys)
        gone, kept = keys[:5], keys[5:]
        for key in gone:
            del source.vectors[key]
        behind.want(remove=gone)
        assert eventually(lambda: settled(behind))
    assert held(tmp_path / "chroma") == set(kept)


def test_a_key_removed_and_wanted_again_stays(tmp_path: Path) -> None:
    source = Source()
    with running(tmp_path / "chroma", source) as behind:
        keys = source.fill(3, seed=4)
        behind.want(add=keys)
        behind.want(remove=keys)
        behind.want(add=keys)
        assert behind.drain(PATIENCE)
    assert held(tmp_path / "chroma") == set(keys)


def test_a_wish_for_a_vector_that_is_already_gone_is_no_error(tmp_path: Path) -> None:
    with running(tmp_path / "chroma", Source()) as behind:
        behind.want(add=[1, 2, 3])
        assert behind.drain(PATIENCE)
        assert behind.error == ""
    assert held(tmp_path / "chroma") == set()


def test_closing_writes_what_is_left(tmp_path: Path) -> None:
    source = Source()
    behind = Behind(tmp_path / "chroma", NAME, DIM, source, idle_seconds=3600)
    behind.start()
    assert behind.drain(PATIENCE)
    behind.want(add=source.fill(20, seed=5))
    behind.close(PATIENCE)
    assert held(tmp_path / "chroma") == source.keys()


def test_a_writer_that_dies_in_a_batch_is_replaced_and_nothing_is_missing(tmp_path: Path) -> None:
    source = Source()
    notices: list[str] = []
    with running(tmp_path / "chroma", source, notices) as behind:
        assert behind.drain(PATIENCE)
        deaths = [worker(behind)]

        def die_once() -> None:
            if deaths:
                os.kill(deaths.pop(), signal.SIGTERM)

        source.before_fetch = die_once
        behind.want(add=source.fill(200, seed=6))
        assert eventually(lambda: not deaths and settled(behind))
    assert held(tmp_path / "chroma") == source.keys()
    assert len(notices) == 1


def test_a_dead_worker_that_only_a_query_noticed_is_replaced(tmp_path: Path) -> None:
    source = Source()
    keys = source.fill(10, seed=17)
    with running(tmp_path / "chroma", source) as behind:
        assert behind.drain(PATIENCE)
        first = worker(behind)
        os.kill(first, signal.SIGTERM)
        assert eventually(lambda: failing(behind, source.vectors[keys[0]]))
        assert eventually(lambda: settled(behind) and not failing(behind, source.vectors[keys[0]]))
        assert worker(behind) != first
        assert behind.query(source.vectors[keys[0]], 1)[0][0] == keys[0]


def test_a_folder_deleted_while_open_is_made_again_whole(tmp_path: Path) -> None:
    source = Source()
    source.fill(100, seed=7)
    notices: list[str] = []
    with running(tmp_path / "chroma", source, notices) as behind:
        assert behind.drain(PATIENCE)
        shutil.rmtree(tmp_path / "chroma")
        behind.want(add=source.fill(5, seed=8))
        assert eventually(lambda: (tmp_path / "chroma").exists() and settled(behind))
    assert held(tmp_path / "chroma") == source.keys()
    assert any("removed or replaced" in notice for notice in notices)


@pytest.mark.parametrize(
    ("name", "damage"),
    [("data_level0.bin", cut), ("index_metadata.pickle", Path.unlink)],
    ids=["vectors-cut", "names-gone"],
)
def test_an_index_that_opens_but_lost_vectors_is_found_out_and_made_again(
    tmp_path: Path, name: str, damage: Callable[[Path], None]
) -> None:
    source = Source()
    keys = source.fill(5500, seed=9)
    with running(tmp_path / "chroma", source) as behind:
        assert behind.drain(PATIENCE)
    damage(next((tmp_path / "chroma").rglob(name)))
    notices: list[str] = []
    with running(tmp_path / "chroma", source, notices) as behind:
        assert eventually(lambda: settled(behind))
        found = sum(behind.query(source.vectors[key], 1)[0][0] == key for key in keys[::500])
        assert found == len(keys[::500])
    assert any("moved to chroma.damaged-1" in notice for notice in notices)


def test_a_source_that_fails_is_asked_again(tmp_path: Path) -> None:
    source = Source()
    failures = [OSError("database is closed")]

    def fail_once() -> None:
        if failures:
            raise failures.pop()

    source.before_fetch = fail_once
    source.fill(10, seed=10)
    with running(tmp_path / "chroma", source) as behind:
        assert eventually(lambda: not failures and settled(behind))
    assert held(tmp_path / "chroma") == source.keys()


def test_nothing_can_be_asked_before_the_store_is_open(tmp_path: Path) -> None:
    source = Source()
    keys = source.fill(1, seed=11)
    behind = Behind(tmp_path / "chroma", NAME, DIM, source)
    assert behind.unwritten() is None
    with pytest.raises(StoreUnavailable):
        behind.query(source.vectors[keys[0]], 1)
    behind.close()


def test_an_outage_of_the_server_heals_by_itself(tmp_path: Path) -> None:
    server = ChromaServer(tmp_path / "server")
    source = Source()
    source.fill(40, seed=12)
    notices: list[str] = []
    server.start()
    try:
        with running(server.url, source, notices) as behind:
            assert behind.drain(PATIENCE)
            server.stop()
            behind.want(add=source.fill(10, seed=13))
            assert eventually(lambda: bool(behind.error))
            behind.want(add=source.fill(10, seed=14))
            server.start()
            assert eventually(lambda: settled(behind))
        assert held(server.url) == source.keys()
        assert notices
    finally:
        server.stop()


def test_a_shared_server_keeps_what_another_one_put_there(tmp_path: Path) -> None:
    server = ChromaServer(tmp_path / "server")
    ours, theirs = Source(), Source()
    ours.fill(20, seed=15)
    theirs.fill(20, seed=16)
    server.start()
    try:
        for source in (ours, theirs):
            with running(server.url, source) as behind:
                assert behind.drain(PATIENCE)
        assert held(server.url) == ours.keys() | theirs.keys()
    finally:
        server.stop()
