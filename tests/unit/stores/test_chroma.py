"""A real Chroma in its own process: what it stores, and which failures it survives."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sightline.stores.vectors.chroma import ChromaStore, StoreDamaged, StoreUnavailable, move_aside
from tests.damage import cut, garble, garble_lightly
from tests.unit.stores.chroma_server import ChromaServer
from tests.unit.stores.vector_samples import DIM, random_keys, unit

# Enough that Chroma has written its HNSW files at least once.
COUNT = 5500
KEYS = random_keys(COUNT, 1)
VECTORS = unit(COUNT, 1)
NAME = "chunks"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an intact, closed store; tests work on copies."""
    folder = tmp_path_factory.mktemp("filled") / "chroma"
    store = ChromaStore.open(folder, NAME, DIM)
    store.upsert(KEYS, VECTORS)
    store.close()
    return folder


@pytest.fixture
def copied(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "chroma"))


@pytest.fixture
def opened(copied: Path) -> Iterator[ChromaStore]:
    store = ChromaStore.open(copied, NAME, DIM)
    yield store
    store.close()


def count_repeatedly(store: ChromaStore) -> None:
    while True:
        store.count()


def find(folder: Path, name: str) -> Path:
    return next(folder.rglob(name))


def test_stored_vectors_are_there_after_reopening(opened: ChromaStore) -> None:
    assert opened.notice == ""
    assert opened.count() == COUNT
    assert opened.keys() == set(KEYS)
    key, score = opened.query(VECTORS[7], 3)[0]
    assert key == KEYS[7]
    assert score == pytest.approx(1, abs=1e-5)


def test_upserting_again_replaces_and_deleting_removes(opened: ChromaStore) -> None:
    opened.upsert(KEYS[:2], VECTORS[[1, 0]])
    assert opened.count() == COUNT
    assert opened.query(VECTORS[0], 1)[0][0] == KEYS[1]
    opened.delete([*KEYS[:10], 12345])
    assert opened.keys() == set(KEYS[10:])
    opened.upsert([], VECTORS[:0])
    opened.delete([])


def test_more_than_one_batch_can_be_stored_at_once(tmp_path: Path) -> None:
    keys = random_keys(6000, 2)
    store = ChromaStore.open(tmp_path / "chroma", NAME, DIM)
    store.upsert(keys, unit(6000, 2))
    assert store.count() == 6000
    store.delete(keys)
    assert store.count() == 0
    assert store.query(VECTORS[0], 5) == []
    store.close()


def test_another_dimension_starts_an_empty_collection(copied: Path) -> None:
    store = ChromaStore.open(copied, NAME, DIM * 2)
    assert store.count() == 0
    store.upsert(KEYS[:1], unit(1, 3, DIM * 2))
    assert store.count() == 1
    store.close()


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("chroma.sqlite3", cut),
        ("chroma.sqlite3", garble),
        ("index_metadata.pickle", cut),
        ("header.bin", garble),
        ("data_level0.bin", garble),
        ("data_level0.bin", Path.unlink),
    ],
    ids=["sqlite-cut", "sqlite-garbled", "meta-cut", "head-garbled", "data-garbled", "no-data"],
)
def test_a_damaged_folder_is_moved_aside_and_replaced_by_an_empty_one(
    copied: Path, name: str, damage: Callable[[Path], None]
) -> None:
    damage(find(copied, name))
    store = ChromaStore.open(copied, NAME, DIM)
    assert "moved to chroma.damaged-1" in store.notice
    assert (copied.parent / "chroma.damaged-1").is_dir()
    assert store.count() == 0
    store.upsert(KEYS[:500], VECTORS[:500])
    assert store.query(VECTORS[5], 1)[0][0] == KEYS[5]
    store.close()


def test_damaged_bytes_in_the_database_never_crash_this_process(copied: Path) -> None:
    garble_lightly(find(copied, "chroma.sqlite3"))
    store = ChromaStore.open(copied, NAME, DIM)
    assert store.count() in (0, COUNT)
    store.close()


def test_a_file_in_place_of_the_folder_is_moved_aside(tmp_path: Path) -> None:
    (tmp_path / "chroma").write_text("not a folder")
    store = ChromaStore.open(tmp_path / "chroma", NAME, DIM)
    assert "being rebuilt" in store.notice
    assert (tmp_path / "chroma.damaged-1").read_text() == "not a folder"
    store.close()


def test_only_the_last_damaged_folder_is_kept(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        (tmp_path / "chroma").mkdir()
        assert f"chroma.damaged-{number}" in move_aside(tmp_path / "chroma")
    assert [path.name for path in tmp_path.iterdir()] == ["chroma.damaged-3"]
    assert move_aside(tmp_path / "chroma") == "It is being rebuilt."


def test_a_store_of_mostly_deleted_vectors_is_recreated(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ChromaStore.open(copied, NAME, DIM)
    store.delete(KEYS[: COUNT * 2 // 3])
    store.close()
    store = ChromaStore.open(copied, NAME, DIM)
    assert store.count() == COUNT - COUNT * 2 // 3
    store.close()
    monkeypatch.setattr("sightline.stores.vectors.chroma._DEAD_TOLERATED", 100)
    store = ChromaStore.open(copied, NAME, DIM)
    assert store.count() == 0
    assert store.notice == ""
    assert not list(copied.rglob("length.bin"))
    store.close()


def test_the_next_write_detects_that_the_folder_was_deleted(copied: Path, opened: ChromaStore) -> None:
    shutil.rmtree(copied)
    with pytest.raises(StoreDamaged, match="removed or replaced"):
        opened.upsert(KEYS[:1], VECTORS[:1])


def test_a_killed_worker_fails_calls_at_once_and_loses_nothing_acknowledged(copied: Path) -> None:
    extra, rows = random_keys(500, 4), unit(500, 4)
    store = ChromaStore.open(copied, NAME, DIM)
    store.upsert(extra, rows)
    os.kill(store.pid, signal.SIGTERM)
    with pytest.raises(StoreUnavailable):
        count_repeatedly(store)
    again = ChromaStore.open(copied, NAME, DIM)
    assert again.notice == ""
    assert again.keys() == {*KEYS, *extra}
    assert again.query(rows[3], 1)[0][0] == extra[3]
    again.close()


WRITE_FOREVER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from sightline.stores.vectors.chroma import ChromaStore
from tests.unit.stores.vector_samples import DIM, random_keys, unit
store = ChromaStore.open(Path(sys.argv[1]), "chunks", DIM)
for seed in range(1000):
    store.upsert(random_keys(700, 100 + seed), unit(700, 100 + seed))
    print(seed, flush=True)
"""


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_writer_killed_in_the_middle_leaves_a_store_that_opens(copied: Path, rounds: int) -> None:
    command = [sys.executable, "-c", WRITE_FOREVER, str(copied), str(Path(__file__).parents[3])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(rounds):
        process.stdout.readline()
    process.kill()
    process.communicate()
    store = ChromaStore.open(copied, NAME, DIM)
    assert store.notice == ""
    assert set(KEYS) <= store.keys()
    acknowledged = [key for seed in range(rounds) for key in random_keys(700, 100 + seed)]
    assert set(acknowledged) <= store.keys()
    store.close()


def test_a_second_process_cannot_open_a_store_in_use(
    copied: Path, opened: ChromaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sightline.stores.vectors.chroma._PREDECESSOR_SECONDS", 0.0)
    with pytest.raises(StoreUnavailable, match=f"process {opened.pid} is still writing"):
        ChromaStore.open(copied, NAME, DIM)
    assert opened.count() == COUNT


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="needs file modes that apply to the user")
def test_a_read_only_folder_is_not_moved_aside(copied: Path) -> None:
    copied.chmod(0o500)
    try:
        with pytest.raises(StoreUnavailable, match="read-only"):
            ChromaStore.open(copied, NAME, DIM)
    finally:
        copied.chmod(0o700)
    assert copied.is_dir()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs SIGSTOP")
def test_a_hanging_worker_is_killed(opened: ChromaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sightline.stores.vectors.chroma._WRITE_SECONDS", 1.0)
    os.kill(opened.pid, signal.SIGSTOP)
    large = unit(40_000, 5)
    with pytest.raises(StoreUnavailable, match="no answer to upsert within 1 seconds"):
        opened.upsert(list(range(40_000)), large)


def test_files_of_a_workspace_cannot_configure_chroma(
    tmp_path: Path, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "workspace"
    trap.mkdir()
    (trap / ".env").write_text("CHROMA_PRODUCT_TELEMETRY_IMPL=trap.Trap\nCHROMA_SERVER_NOFILE=abc\n")
    for module in ("trap", "chromadb", "numpy"):
        (trap / f"{module}.py").write_text("open('sprung', 'w').close()\n")
    monkeypatch.chdir(trap)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    store = ChromaStore.open(copied, NAME, DIM)
    assert store.count() == COUNT
    store.close()
    assert not list(tmp_path.rglob("sprung"))


def test_the_server_process_never_loads_chroma() -> None:
    modules = "sightline.stores.vectors.chroma_writer, sightline.stores.vectors.approximate"
    code = f"import sys, {modules}; print('chromadb' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"


def test_an_invalid_url_is_a_clear_error() -> None:
    with pytest.raises(StoreUnavailable, match=r"must look like http://host:8000, not 'localhost:8000'"):
        ChromaStore.open("localhost:8000", NAME, DIM)


def test_a_server_that_does_not_answer_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable, match=r"The Chroma server at http://127.0.0.1:9 cannot be used"):
        ChromaStore.open("http://127.0.0.1:9", NAME, DIM)


def test_a_chroma_server_keeps_vectors_for_two_clients(tmp_path: Path) -> None:
    server = ChromaServer(tmp_path / "server")
    server.start()
    try:
        first, second = (ChromaStore.open(server.url, NAME, DIM) for _ in range(2))
        first.upsert(KEYS, VECTORS)
        assert second.count() == COUNT
        assert second.keys() == set(KEYS)
        assert second.query(VECTORS[9], 1)[0][0] == KEYS[9]
        server.stop()
        with pytest.raises(StoreUnavailable):
            second.query(VECTORS[9], 1)
        server.start()
        assert second.query(VECTORS[9], 1)[0][0] == KEYS[9]
        first.close()
        second.close()
    finally:
        server.stop()


def test_closing_ends_the_process(copied: Path) -> None:
    store = ChromaStore.open(copied, NAME, DIM)
    store.close()
    store.close()
    with pytest.raises(StoreUnavailable):
        store.count()
    deadline = time.monotonic() + 10
    while _alive(store.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _alive(store.pid)


def test_a_process_whose_parent_is_gone_ends_silently(tmp_path: Path) -> None:
    code = "from sightline.stores.vectors.chroma_process import main; main()"
    pipe = subprocess.PIPE
    child = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe)
    assert child.stdout
    # A parent that dies leaves a pipe that nobody reads.
    child.stdout.close()
    child.stdout = None
    _, errors = child.communicate(pickle.dumps((0, "open_folder", (str(tmp_path / "chroma"), NAME, DIM))))
    assert (child.returncode, errors) == (0, b"")


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
