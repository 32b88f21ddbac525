"""Processes on one index share the model of the one that writes it."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from sightline.embedding import Embedder, ModelUnavailable, load_embedder, model_registry
from sightline.embedding.sharing import (
    ProcessService,
    Shared,
    SharedEmbedder,
    ask,
    request_check,
    shared_embedder,
)
from sightline.location import CACHE_VARIABLE
from sightline.types import SearchRequest
from tests.faults.harness import Session, session, write_project

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs Unix sockets")

_MODEL = "packaged"


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder with a short path, because the address of a socket has to be short."""
    with tempfile.TemporaryDirectory(prefix="s-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def embedder(small_model: Path) -> Embedder:
    return load_embedder(str(small_model))


def _share(embedder: Embedder) -> Callable[[str, str | None], Shared | None]:
    def share(model: str, query: str | None) -> Shared | None:
        if model != _MODEL:
            return None
        vector = None if query is None else embedder.embed_query(query)
        return Shared(embedder.id, embedder.dim, vector)

    return share


def _never_checked() -> None:
    raise AssertionError("a check was requested")


@pytest.fixture
def address(short: Path, embedder: Embedder) -> Iterator[Path]:
    """Where a service answers."""
    service = ProcessService(short / "sockets" / "one", _share(embedder), _never_checked)
    yield short / "sockets" / "one"
    service.close()


def _never() -> Embedder:
    raise AssertionError("the model was loaded a second time")


def test_a_query_gets_exactly_the_vector_of_the_other_process(address: Path, embedder: Embedder) -> None:
    shared = shared_embedder(address, _MODEL, _never)
    assert isinstance(shared, SharedEmbedder)
    assert (shared.id, shared.dim) == (embedder.id, embedder.dim)
    for text in ("read the file", "", "päivä 🙂 \ud83d".encode("utf-8", "replace").decode(), "x" * 10_000):
        assert np.array_equal(shared.embed_query(text), embedder.embed_query(text))


def test_another_model_is_not_shared(address: Path, embedder: Embedder) -> None:
    assert ask(address, "another", "read") is None
    assert shared_embedder(address, "another", lambda: embedder) is embedder


def test_only_the_owner_can_reach_it(address: Path) -> None:
    assert stat.S_IMODE(address.stat().st_mode) == 0o600
    assert stat.S_IMODE(address.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can change the owner of a folder"
)
def test_a_socket_in_the_folder_of_another_user_is_not_used(address: Path) -> None:
    assert ask(address, _MODEL, "read") is not None
    os.chown(address.parent, 12345, -1)
    assert ask(address, _MODEL, "read") is None
    os.chown(address.parent, 0, -1)


def test_after_a_service_ends_its_socket_is_gone_and_the_model_loads(short: Path, embedder: Embedder) -> None:
    path = short / "one"
    service = ProcessService(path, _share(embedder), _never_checked)
    shared = shared_embedder(path, _MODEL, lambda: embedder)
    service.close()
    assert not path.exists()
    assert np.array_equal(shared.embed_query("read"), embedder.embed_query("read"))
    assert np.array_equal(shared.embed(["write"]), embedder.embed(["write"]))


def test_a_socket_that_a_killed_process_left_is_replaced(short: Path, embedder: Embedder) -> None:
    path = short / "one"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    assert ask(path, _MODEL, "read") is None
    service = ProcessService(path, _share(embedder), _never_checked)
    assert ask(path, _MODEL, "read") is not None
    service.close()


def test_a_closing_service_does_not_remove_a_newer_socket(short: Path, embedder: Embedder) -> None:
    path = short / "one"
    first = ProcessService(path, _share(embedder), _never_checked)
    second = ProcessService(path, _share(embedder), _never_checked)
    first.close()
    assert ask(path, _MODEL, "read") is not None
    second.close()
    assert not path.exists()


def test_a_check_is_requested_of_the_other_process(short: Path, embedder: Embedder) -> None:
    path, checked = short / "one", threading.Event()
    request_check(path)
    service = ProcessService(path, _share(embedder), checked.set)
    request_check(path)
    assert checked.wait(30)
    assert ask(path, _MODEL, "read") is not None
    service.close()


def test_a_stopped_process_times_out(short: Path, embedder: Embedder) -> None:
    path = short / "one"
    code = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen();"
        " print('listening', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as stopped:
        assert stopped.stdout is not None
        assert stopped.stdout.readline()
        os.kill(stopped.pid, signal.SIGSTOP)
        assert shared_embedder(path, _MODEL, lambda: embedder) is embedder
        stopped.kill()


@pytest.mark.parametrize(
    "body", [b"", b"\n", b"null\n", b"[]\n", b'{"model": 1}\n', b"\xff\n", b"x" * 300_000, b'{"model": "a"']
)
def test_an_invalid_request_gets_no_answer_and_valid_ones_do(address: Path, body: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(address))
        try:
            connection.sendall(body)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(100) == b""
        except ConnectionError:
            pass
    assert ask(address, _MODEL, "read") is not None


@pytest.mark.parametrize(
    "body", [b"", b"null\n", b"{}\n", b'{"id": "a", "dim": 2, "vector": [1]}\n', b"no\n"]
)
def test_an_invalid_answer_is_ignored(short: Path, body: bytes) -> None:
    path = short / "one"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(body)

        answering = threading.Thread(target=answer)
        answering.start()
        assert ask(path, _MODEL, "read") is None
        answering.join()


def test_another_model_in_place_of_the_shared_one_is_refused(address: Path, embedder: Embedder) -> None:
    shared = SharedEmbedder(address, _MODEL, Shared("other", embedder.dim), lambda: embedder)
    with pytest.raises(ModelUnavailable, match="other"):
        shared.embed_query("read")


def test_no_socket_is_created_below_a_long_path(tmp_path: Path, embedder: Embedder) -> None:
    path = tmp_path / ("long" * 30) / "one"
    with pytest.raises(OSError, match="address"):
        ProcessService(path, _share(embedder), _never_checked)
    assert shared_embedder(path, _MODEL, lambda: embedder) is embedder


@pytest.fixture
def project(short: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(short / "cache"))
    return write_project((short / "project").resolve())


def test_a_follower_searches_by_meaning_without_loading_a_model(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session(project) as first:
        monkeypatch.setattr(model_registry, "load_embedder", lambda *_: _never())
        with session(project) as second:
            second.until(lambda: second.folder.state == "ready")
            assert not second.folder.status().writer
            assert _matches(second) == _matches(first)
            assert {match for _, _, match in _matches(second)} & {"both", "semantic"}


def test_a_follower_that_takes_over_loads_and_shares_the_model(project: Path) -> None:
    first = Session(project)
    first.settle()
    with session(project) as second:
        second.until(lambda: second.folder.state == "ready")
        before = _matches(second)
        first.close()
        second.until(lambda: second.folder.status().writer and second.folder.state == "ready")
        second.save("src/new.py", "def a_new_ledger(user):\n    return user\n")
        second.settle()
        assert _matches(second)[0:1] != []
        assert second.folder.status().chunks == second.folder.status().chunks_embedded
        with session(project) as third:
            third.until(lambda: third.folder.state == "ready")
            assert _matches(third) == _matches(second)
        assert before
        assert second.messages == []


def _matches(running: Session) -> list[tuple[str, float, str]]:
    found = running.workspace.search(SearchRequest("how is the basket used"))
    return [(hit.path, hit.score, hit.match) for hit in found.hits]
