"""Two servers, each with its own cache, store their vectors in one shared Chroma server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sightline.types import SearchRequest
from tests.faults.harness import Session, session, write_project
from tests.lsp.raw_client import RawClient
from tests.unit.stores.chroma_server import ChromaServer

_OWN = "def only_on_the_second_machine(parcel):\n    return parcel\n"
_NEW = "def written_during_the_outage(ledger):\n    return ledger\n"
_LATE = "def window_garden_after_the_outage(window):\n    return window\n"


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[ChromaServer]:
    """A running Chroma server."""
    server = ChromaServer(tmp_path / "chroma")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def first(project: Path, chroma: ChromaServer) -> Iterator[Session]:
    """The project, opened in this process."""
    with session(project, _shared(chroma)) as running:
        yield running


@pytest.fixture
def second(tmp_path: Path, chroma: ChromaServer) -> Iterator[RawClient]:
    """A copy of the project with one extra file, opened by a language server with another cache."""
    home = tmp_path / "second"
    root = write_project((home / "project").resolve())
    (root / "src" / "own.py").write_text(_OWN)
    client = RawClient(home)
    client.start(root, initializationOptions=_shared(chroma))
    client.wait_ready()
    yield client
    client.end()


def _shared(chroma: ChromaServer) -> dict[str, Any]:
    return {"store": {"url": chroma.url}}


def _stored_vectors(chroma: ChromaServer) -> int:
    """The number of vectors in the server's collections, counted through a separate client."""
    import chromadb

    client = chromadb.HttpClient("127.0.0.1", chroma.port)
    return sum(client.get_collection(each.name).count() for each in client.list_collections())


def _keys(running: Session) -> int:
    memory = running.folder.memory
    assert memory is not None
    return len(set(memory.rows["key"][memory.rows["alive"]].tolist()))


def test_two_servers_share_a_chroma_server_and_survive_its_outage(
    project: Path, chroma: ChromaServer, first: Session, second: RawClient
) -> None:
    both = _keys(first) + 1
    first.until(lambda: _stored_vectors(chroma) == both)
    # The vectors of the other machine are in the collection, but never in the results of this one.
    assert "src/own.py" not in first.find("only_on_the_second_machine")
    assert second.search("only_on_the_second_machine")[0] == "src/own.py"

    chroma.stop()
    assert first.find("user")
    assert first.workspace.search(SearchRequest("user")).cached
    first.save("src/new.py", _NEW)
    first.settle()
    assert first.find("written_during_the_outage")[:1] == ["src/new.py"]
    for mode in ("keyword", "hybrid", "semantic"):
        assert second.search("only_on_the_second_machine", mode)[0] == "src/own.py"
    assert first.folder.state == "ready"
    first.until(lambda: first.messages)

    chroma.start()
    first.until(lambda: _stored_vectors(chroma) == both + 1)
    second.save("src/late.py", _LATE)
    first.until(lambda: _stored_vectors(chroma) == both + 2)
    assert second.search("window garden after the outage", "semantic")[0] == "src/late.py"
    assert len(first.messages) == 1, first.messages
