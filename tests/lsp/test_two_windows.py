"""The same folder open in two servers: both answer, one writes, and the follower takes over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.requests.uris import from_path

if TYPE_CHECKING:
    from tests.lsp.raw_client import RawClient


def _writes(client: RawClient) -> bool:
    return bool(client.request("workspace/indexStatus", {})["folders"][0]["writer"])


def test_the_follower_answers_and_takes_over(make_client: Callable[..., RawClient], project: Path) -> None:
    first = make_client()
    first.start(project)
    first.wait_ready()
    second = make_client()
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


def test_a_linked_folder_keeps_the_path_the_client_used(
    make_client: Callable[..., RawClient], project: Path
) -> None:
    link = project.parent / "link"
    link.symlink_to(project, target_is_directory=True)
    client = make_client()
    client.start(link)
    client.wait_ready()
    hit = client.request("workspace/semanticSearch", {"query": "credit card"})["results"][0]
    assert hit["uri"] == from_path(str(link / "shop/checkout.py"))
    client.save("fresh.py", "def polish_silver():\n    pass\n")
    client.wait(lambda: "fresh.py" in client.search("polish_silver"))


def test_without_a_watcher_the_folder_is_polled(make_client: Callable[..., RawClient], project: Path) -> None:
    client = make_client()
    client.start(project, initializationOptions={"indexing": {"poll_seconds": 1}})
    client.wait_ready()
    (project / "silent.py").write_text("def whisper_secrets():\n    pass\n")
    client.wait(lambda: "silent.py" in client.search("whisper_secrets"))
    assert not [message for message in client.asked if message["method"] == "client/registerCapability"]


def test_with_a_watcher_every_file_is_watched(make_client: Callable[..., RawClient], project: Path) -> None:
    client = make_client()
    client.start(project, {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    client.wait(lambda: bool(client.asked))
    registration = client.asked[0]["params"]["registrations"][0]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    assert registration["registerOptions"]["watchers"] == [{"globPattern": "**/*"}]
