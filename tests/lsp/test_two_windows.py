"""The same folder open in two servers: both answer, one writes, and the other takes over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.lsp.uris import from_path

if TYPE_CHECKING:
    from tests.lsp.conftest import Talker


def _finds(talker: Talker, query: str, path: str) -> bool:
    hits = talker.request("workspace/semanticSearch", {"query": query})["results"]
    return any(hit["path"] == path for hit in hits)


def _writes(talker: Talker) -> bool:
    return bool(talker.request("workspace/indexStatus", {})["folders"][0]["writer"])


def test_the_second_window_answers_and_takes_over(talk: Callable[..., Talker], project: Path) -> None:
    first = talk()
    first.start(project)
    first.wait_ready()
    second = talk()
    second.start(project)
    second.wait(lambda: _finds(second, "credit card", "shop/checkout.py"))
    assert _writes(first)
    assert not _writes(second)

    (project / "new.py").write_text("def juggle_torches():\n    pass\n")
    saved = {"textDocument": {"uri": from_path(str(project / "new.py"))}}
    first.notify("textDocument/didSave", saved)
    second.wait(lambda: _finds(second, "juggle_torches", "new.py"))

    first.stop()
    second.wait(lambda: _writes(second))
    (project / "new.py").write_text("def swallow_swords():\n    pass\n")
    second.notify("textDocument/didSave", saved)
    second.wait(lambda: _finds(second, "swallow_swords", "new.py"))


def test_a_linked_folder_keeps_the_clients_spelling(talk: Callable[..., Talker], project: Path) -> None:
    link = project.parent / "link"
    link.symlink_to(project, target_is_directory=True)
    talker = talk()
    talker.start(link)
    talker.wait_ready()
    hit = talker.request("workspace/semanticSearch", {"query": "credit card"})["results"][0]
    assert hit["uri"] == from_path(str(link / "shop/checkout.py"))
    (link / "fresh.py").write_text("def polish_silver():\n    pass\n")
    talker.notify("textDocument/didSave", {"textDocument": {"uri": from_path(str(link / "fresh.py"))}})
    talker.wait(lambda: _finds(talker, "polish_silver", "fresh.py"))


def test_without_a_watcher_the_folder_is_polled(talk: Callable[..., Talker], project: Path) -> None:
    talker = talk()
    talker.start(project, initializationOptions={"indexing": {"poll_seconds": 1}})
    talker.wait_ready()
    (project / "silent.py").write_text("def whisper_secrets():\n    pass\n")
    talker.wait(lambda: _finds(talker, "whisper_secrets", "silent.py"))
    assert not [message for message in talker.asked if message["method"] == "client/registerCapability"]


def test_with_a_watcher_every_file_is_watched(talk: Callable[..., Talker], project: Path) -> None:
    talker = talk()
    talker.start(project, {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    talker.wait(lambda: bool(talker.asked))
    registration = talker.asked[0]["params"]["registrations"][0]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    assert registration["registerOptions"]["watchers"] == [{"globPattern": "**/*"}]
