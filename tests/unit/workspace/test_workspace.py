"""The workspace as the server and the command line use it."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from sightline.arrays import Floats
from sightline.embedding import Embedder, embed_passages, load_embedder
from sightline.errors import InvalidRequest, SightlineError
from sightline.indexing.events import Event, IndexProgress
from sightline.types import SearchRequest
from sightline.workspace import Workspace
from tests.unit.embedding.cross_encoder import make_cross_encoder
from tests.unit.workspace.index_state import TIMEOUT, memory_of, messages_into, opened


def paths(workspace: Workspace, query: str) -> list[str]:
    return [hit.path for hit in workspace.search(SearchRequest(query)).hits]


def test_a_folder_is_indexed_and_can_be_searched(workspace: Workspace, root: Path) -> None:
    workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    (status,) = workspace.status()
    assert (status.state, status.files_indexed, status.files_total) == ("ready", 2, 2)
    assert paths(workspace, "read_socket")[0] == "sockets.py"


def test_a_new_index_starts_with_open_files_and_counts_indexed_files(
    workspace: Workspace, tmp_path: Path
) -> None:
    contents = {"data/a.json": "{}", "src/b.py": "b = 1\n", "notes/c.md": "# C\n", "zeros/d.txt": "\0" * 99}
    for path, text in contents.items():
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(text)
    read, totals = list[str](), list[int]()

    def record(event: Event) -> None:
        if isinstance(event, IndexProgress) and event.phase == "reading":
            read.append(event.current)
            totals.append(workspace.folders[0].progress()[1])

    workspace.subscribe(record)
    workspace.opened([tmp_path / "notes/c.md", tmp_path.parent / "elsewhere.py"])
    workspace.add_folder(tmp_path)
    assert workspace.wait_idle(TIMEOUT)
    assert read == ["notes", "src", "data", "zeros"]
    assert totals == [4, 4, 4, 3]
    assert workspace.status()[0].files_total == 3


def test_a_status_counts_files_by_language_and_names_guessed_encodings(
    workspace: Workspace, root: Path
) -> None:
    (root / "old.py").write_bytes("name = 'é'\n".encode("latin-1"))
    workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    (status,) = workspace.status()
    assert (status.languages, status.parse["ok"]) == ({"go": 1, "python": 2}, 3)
    assert status.notes == ("1 files are not UTF-8 and were read as latin-1.",)
    (root / "old.py").unlink()
    workspace.changed([root / "old.py"])
    assert workspace.wait_idle(TIMEOUT)
    (status,) = workspace.status()
    assert (status.languages, status.notes) == ({"go": 1, "python": 1}, ())


def test_a_search_before_the_index_is_open_waits_for_it(workspace: Workspace, root: Path) -> None:
    workspace.add_folder(root)
    result = workspace.search(SearchRequest("socket"))
    assert result.coverage.state in ("indexing", "ready")


@pytest.mark.parametrize("wrong", ["missing", "sockets.py"])
def test_a_path_that_is_not_a_folder_is_refused_with_a_sentence(
    workspace: Workspace, root: Path, wrong: str
) -> None:
    with pytest.raises(SightlineError, match=r"does not exist|is a file"):
        workspace.add_folder(root / wrong)


def test_a_folder_that_is_not_open_cannot_be_searched(workspace: Workspace, root: Path) -> None:
    with pytest.raises(InvalidRequest, match="not an open folder"):
        workspace.search(SearchRequest("x"), folders=[root])


def test_a_nested_folder_is_not_indexed_twice(workspace: Workspace, root: Path) -> None:
    inner = root / "inner [1]"
    inner.mkdir()
    (inner / "deep.py").write_text("def deeply_nested():\n    pass\n")
    workspace.add_folder(root)
    workspace.add_folder(inner)
    assert workspace.wait_idle(TIMEOUT)
    assert [
        (Path(hit.folder), hit.path) for hit in workspace.search(SearchRequest("deeply_nested", limit=1)).hits
    ] == [(inner, "deep.py")]
    outer, nested = workspace.folders
    assert memory_of(outer).file_number("inner [1]/deep.py") is None
    workspace.remove_folder(inner)
    assert workspace.wait_idle(TIMEOUT)
    assert memory_of(outer).file_number("inner [1]/deep.py") is not None
    assert nested.root == inner


def test_unsaved_text_is_shown_instead_of_the_file(workspace: Workspace, root: Path) -> None:
    workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    overlay = {root / "sockets.py": "import os\n\n\ndef read_socket(socket):\n    return socket.read()\n"}
    (hit, *_) = workspace.search(SearchRequest("read_socket"), overlays=overlay).hits
    assert hit.start_line == 3
    assert "def read_socket" in hit.snippet.text


def test_only_changed_chunks_are_embedded_again(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "\n".join(f"    total_{number} = compute_{number}(value)" for number in range(30))
    functions = [f"def step_{number}(value):\n{body}\n    return {number}\n" for number in range(6)]
    (root / "steps.py").write_text("\n".join(functions))
    folder = workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    texts: list[str] = []

    def note(embedder: Embedder, batch: list[str]) -> Floats:
        texts.extend(batch)
        return embed_passages(embedder, batch)

    monkeypatch.setattr("sightline.indexing.embedding_queue.embed_passages", note)
    functions[2] = functions[2].replace("return 2", "return 200")
    (root / "steps.py").write_text("\n".join(functions))
    folder.changed([root / "steps.py"])
    assert workspace.wait_idle(TIMEOUT)
    assert 0 < len(texts) <= 2


def test_unused_vectors_are_deleted_when_they_are_the_majority(root: Path, small_model: Path) -> None:
    for number in range(9):
        (root / "sockets.py").write_text(f"def read_socket_{number}(socket):\n    return {number}\n")
        workspace, folder = opened(root, {"embedding": {"model": str(small_model)}})
        in_use = len(memory_of(folder).all_keys())
        stored = memory_of(folder).catalog.count("embeddings")
        deadline = time.monotonic() + TIMEOUT
        while stored > 3 * in_use and time.monotonic() < deadline:
            time.sleep(0.05)
            stored = memory_of(folder).catalog.count("embeddings")
        workspace.close(30)
        assert in_use <= stored <= 3 * in_use


def test_another_model_is_used_once_all_its_vectors_exist(
    workspace: Workspace, root: Path, small_model: Path
) -> None:
    folder = workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    packaged = folder.status().model
    seen: set[tuple[str, int]] = set()
    stop = threading.Event()

    def watch() -> None:
        while not stop.is_set():
            space = memory_of(folder).space
            if space is not None:
                seen.add((space.model, space.dim))
            time.sleep(0.001)

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert workspace.configure({"embedding": {"model": str(small_model)}}) == []
    assert workspace.wait_idle(TIMEOUT)
    stop.set()
    watcher.join()
    status = folder.status()
    chosen = load_embedder(str(small_model))
    assert (status.model, status.chunks_embedded) == (chosen.id, status.chunks)
    assert {model for model, _ in seen} <= {packaged, chosen.id}
    assert len({dim for model, dim in seen if model == packaged}) <= 1
    assert paths(workspace, "read_socket")[0] == "sockets.py"


def test_without_a_model_keywords_are_searched_with_one_message(workspace: Workspace, root: Path) -> None:
    messages: list[str] = []
    workspace.subscribe(messages_into(messages))
    workspace.add_folder(root, {"embedding": {"model": str(root / "no-model")}})
    assert workspace.wait_idle(TIMEOUT)
    (status,) = workspace.status()
    assert status.state == "degraded"
    assert paths(workspace, "read_socket")[0] == "sockets.py"
    workspace.changed([root / "sockets.py"])
    assert workspace.wait_idle(TIMEOUT)
    assert len([text for text in messages if "keyword" in text]) == 1


def test_cancelled_indexing_resumes_where_it_stopped(workspace: Workspace, root: Path) -> None:
    for number in range(200):
        (root / f"module_{number}.py").write_text(f"def function_{number}():\n    return {number}\n")

    def cancel_while_reading(event: Event) -> None:
        # Events are sent by the thread that indexes, so the walk cannot end before it is cancelled.
        if isinstance(event, IndexProgress) and event.phase == "reading" and not cancelled:
            cancelled.append(event)
            workspace.cancel_indexing(root)

    cancelled: list[IndexProgress] = []
    workspace.subscribe(cancel_while_reading)
    folder = workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    assert (folder.state, cancelled != []) == ("degraded", True)
    assert "stopped" in folder.reason
    workspace.reconcile()
    assert workspace.wait_idle(TIMEOUT)
    assert (folder.state, folder.status().files_indexed) == ("ready", 202)


def test_a_cleared_index_is_rebuilt_on_demand(workspace: Workspace, root: Path) -> None:
    folder = workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    workspace.clear(root)
    assert workspace.wait_idle(TIMEOUT)
    assert folder.status().files_indexed == 0
    workspace.reindex(root)
    assert workspace.wait_idle(TIMEOUT)
    assert folder.status().files_indexed == 2


def test_the_settings_file_of_the_folder_takes_effect_when_it_is_saved(
    workspace: Workspace, root: Path
) -> None:
    folder = workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    (root / ".sightline.toml").write_text('[indexing]\nexclude = ["*.go"]\n')
    workspace.changed([root / ".sightline.toml"])
    assert workspace.wait_idle(TIMEOUT)
    assert memory_of(folder).file_number("files.go") is None


def test_twenty_concurrent_searches_all_get_results(workspace: Workspace, root: Path) -> None:
    workspace.add_folder(root)
    assert workspace.wait_idle(TIMEOUT)
    answers: list[str] = []
    threads = [
        threading.Thread(target=lambda: answers.append(paths(workspace, "write file")[0])) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)
    assert answers == ["files.go"] * 20


def test_a_cross_encoder_reorders_the_page_once_it_is_loaded(
    workspace: Workspace, root: Path, tmp_path: Path
) -> None:
    (root / "plain.py").write_text("def choose_socket():\n    return 'other'\n")
    (root / "sought.py").write_text("def keep_socket():\n    return 'wanted wanted'\n")
    model = make_cross_encoder(tmp_path / "counter")
    workspace.add_folder(root, {"search": {"rerank_model": str(model)}})
    assert workspace.wait_idle(TIMEOUT)
    deadline = time.monotonic() + TIMEOUT
    while paths(workspace, "choose_socket")[0] != "sought.py":
        assert time.monotonic() < deadline
        time.sleep(0.05)
