"""Nothing outside the workspace folders is read or shown, whatever form a path or URI has."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sightline.indexing.content import read
from sightline.indexing.discovery.skips import Skipped
from sightline.requests.uris import from_path
from tests.files import write_files
from tests.lsp.raw_client import RawClient
from tests.security.harness import PROGRAM, SOURCE, Home

_CANARY = "outside_canary_name"
_PLACE = {"line": 0, "character": 5}

# URIs that lead to the file next to the project, as functions of the project path.
_TRICKS: dict[str, Callable[[Path], str]] = {
    "plain": lambda root: from_path(str(root.parent / "outside.py")),
    "dots": lambda root: from_path(str(root)) + "/../outside.py",
    "encoded dots": lambda root: from_path(str(root)) + "/%2e%2e/outside.py",
    "encoded slash": lambda root: from_path(str(root)) + "/..%2foutside.py",
    "dots further in": lambda root: from_path(str(root)) + "/src/../../outside.py",
    "double slash": lambda root: "file:///" + str(root) + "//../outside.py",
    "host": lambda root: from_path(str(root)).replace("file://", "file://localhost") + "/../outside.py",
    "link to a file": lambda root: from_path(str(root)) + "/link.py",
    "link to a folder": lambda root: from_path(str(root)) + "/folder/outside.py",
    "link that goes round": lambda root: from_path(str(root)) + "/loop/loop/link.py",
    "query and fragment": lambda root: from_path(str(root)) + "/../outside.py?x#y",
    "zero byte": lambda root: from_path(str(root)) + "/link.py%00.txt",
    "other scheme": lambda root: "http:" + str(root.parent / "outside.py"),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with links that lead out of it, and a private file next to it."""
    home = tmp_path_factory.mktemp("confined")
    write_files(home, {"outside.py": f"def {_CANARY}(user):\n    return user\n"})
    root = write_files(home / "project", SOURCE).resolve()
    (root / "link.py").symlink_to(home / "outside.py")
    (root / "folder").symlink_to(home, target_is_directory=True)
    (root / "loop").symlink_to(root, target_is_directory=True)
    os.link(home / "outside.py", home / "second-name.py")
    return root


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[RawClient]:
    """A language server on the project."""
    client = RawClient(root.parent / "home", (str(PROGRAM), "serve"))
    client.start(root)
    client.wait_ready()
    yield client
    client.end()


@pytest.mark.parametrize("trick", _TRICKS)
def test_no_request_reads_outside_the_workspace(server: RawClient, root: Path, trick: str) -> None:
    document = {"uri": _TRICKS[trick](root)}
    for method, more in (
        ("textDocument/documentSymbol", {}),
        ("textDocument/hover", {"position": _PLACE}),
        ("textDocument/related", {"position": _PLACE}),
        ("textDocument/codeLens", {}),
    ):
        answer = server.answer(server.ask(method, {"textDocument": document, **more}))
        assert _CANARY not in json.dumps(answer), (method, answer)


def test_no_event_adds_an_outside_file_to_the_index(server: RawClient, root: Path) -> None:
    uris = [trick(root) for trick in _TRICKS.values()]
    changes = [{"uri": uri, "type": kind} for uri in uris for kind in (1, 2)]
    server.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    for uri in uris:
        server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    server.wait_ready()
    for query in (_CANARY, f"name:{_CANARY}", "path:../** user"):
        answer = server.answer(server.ask("workspace/semanticSearch", {"query": query}))
        assert _CANARY not in json.dumps(answer.get("result"))
    assert server.request("workspace/symbol", {"query": _CANARY}) in ([], None)
    cache = (root.parent / "home" / "cache").rglob("*")
    assert [path.name for path in cache if path.is_file() and _CANARY.encode() in path.read_bytes()] == []


def test_every_hit_is_in_the_workspace(server: RawClient, root: Path) -> None:
    results = server.request("workspace/semanticSearch", {"query": "credit card session", "limit": 50})
    assert results["results"]
    for hit in results["results"]:
        assert (root / hit["path"]).resolve().is_relative_to(root)
        assert hit["uri"].startswith(from_path(str(root)) + "/")


def test_a_folder_that_is_not_open_cannot_be_searched(server: RawClient, root: Path) -> None:
    params = {"query": "user", "folders": [from_path(str(root.parent))]}
    answer = server.answer(server.ask("workspace/semanticSearch", params))
    assert "error" in answer
    assert _CANARY not in json.dumps(answer)


@pytest.mark.parametrize("path", ["../outside.py", "link.py", "folder/outside.py", "src/../../outside.py"])
def test_a_path_outside_the_root_is_not_read(root: Path, path: str) -> None:
    assert read(root, path, 1 << 20) == Skipped(path, "outside")
    assert isinstance(read(root, str(root.parent / "outside.py"), 1 << 20), Skipped)
    assert isinstance(read(root, "/dev/zero", 1 << 20), Skipped)


def test_a_link_that_replaces_a_file_is_not_followed(home: Home, project: Path) -> None:
    write_files(project.parent, {"outside.py": f"def {_CANARY}():\n    pass\n"})
    assert home.search("charge_credit_card", project)[0]["path"] == "src/basket.py"
    (project / "src" / "basket.py").unlink()
    (project / "src" / "basket.py").symlink_to(project.parent / "outside.py")
    assert all(hit["path"] != "src/basket.py" for hit in home.search(_CANARY, project))


@pytest.mark.skipif(os.name == "nt", reason="needs Unix named pipes")
@pytest.mark.parametrize("place", ["project/pipe.py", "pipe.py"])
def test_a_pipe_inside_or_outside_does_not_block_a_request(server: RawClient, root: Path, place: str) -> None:
    pipe = root.parent / place
    os.mkfifo(pipe)
    document = {"textDocument": {"uri": from_path(str(pipe))}}
    for method, more in (
        ("hover", {"position": _PLACE}),
        ("related", {"position": _PLACE}),
        ("documentSymbol", {}),
    ):
        server.answer(server.ask(f"textDocument/{method}", {**document, **more}))
    pipe.unlink()
