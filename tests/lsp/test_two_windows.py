"""The same folder open in two servers: both answer, one writes, and the other takes over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.lsp.uris import from_path

if TYPE_CHECKING:
    from tests.lsp.talker import Talker


def _writes(talker: Talker) -> bool:
    return bool(talker.request("workspace/indexStatus", {})["folders"][0]["writer"])


def test_the_second_window_answers_and_takes_over(talk: Callable[..., Talker], project: Path) -> None:
    first = talk()
    first.start(project)
    first.wait_ready()
    second = talk()
    second.start(project)
    second.wait(lambda: "shop/checkout.py" in second.search("credit card"))
    assert _writes(first)
    assert not _writes(second)

    first.save("new.py", "def juggle_torches():\n    pass\n")
    second.wait(lambda: "new.py" in second.search("juggle_torches"))

    first.stop()
    second.wait(lambda: _writes(second))
    second.save("new.py", "def swallow_swords():\n    pass\n")
    second.wait(lambda: "new.py" in second.search("swallow_swords"))


def test_a_linked_folder_keeps_the_clients_spelling(talk: Callable[..., Talker], project: Path) -> None:
    link = project.parent / "link"
    link.symlink_to(project, target_is_directory=True)
    talker = talk()
    talker.start(link)
    talker.wait_ready()
    hit = talker.request("workspace/semanticSearch", {"query": "credit card"})["results"][0]
    assert hit["uri"] == from_path(str(link / "shop/checkout.py"))
    talker.save("fresh.py", "def polish_silver():\n    pass\n")
    talker.wait(lambda: "fresh.py" in talker.search("polish_silver"))


def test_without_a_watcher_the_folder_is_polled(talk: Callable[..., Talker], project: Path) -> None:
    talker = talk()
    talker.start(project, initializationOptions={"indexing": {"poll_seconds": 1}})
    talker.wait_ready()
    (project / "silent.py").write_text("def whisper_secrets():\n    pass\n")
    talker.wait(lambda: "silent.py" in talker.search("whisper_secrets"))
    assert not [message for message in talker.asked if message["method"] == "client/registerCapability"]


def test_with_a_watcher_every_file_is_watched(talk: Callable[..., Talker], project: Path) -> None:
    talker = talk()
    talker.start(project, {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    talker.wait(lambda: bool(talker.asked))
    registration = talker.asked[0]["params"]["registrations"][0]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    assert registration["registerOptions"]["watchers"] == [{"globPattern": "**/*"}]
