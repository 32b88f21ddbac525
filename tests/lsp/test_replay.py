"""Replays what a real VS Code and a real Neovim sent at start-up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sightline.requests.uris import from_path

if TYPE_CHECKING:
    from tests.lsp.raw_client import RawClient

RECORDINGS = Path(__file__).with_name("recordings")


def _recording(editor: str, root: Path) -> dict[str, Any]:
    text = (RECORDINGS / f"{editor}.json").read_text("utf-8")
    filled = text.replace("${URI}", from_path(str(root))).replace("${ROOT}", str(root).replace("\\", "/"))
    return dict(json.loads(filled))


def _replay(client: RawClient, recording: dict[str, Any]) -> dict[str, Any]:
    """Send everything in order up to the shutdown, and return the last result of each method."""
    client.replies = recording["answers"]
    sent = [each for each in recording["sent"] if each["method"] not in ("shutdown", "exit")]
    cancelled = {each["params"]["id"] for each in sent if each["method"] == "$/cancelRequest"}
    results: dict[str, Any] = {}
    # An editor sends nothing more before it has the response to initialize.
    for part in (sent[:1], sent[1:]):
        for message in part:
            client.send(message)
        for message in part:
            if "id" in message:
                answer = client.answer(message["id"])
                assert "error" not in answer or message["id"] in cancelled, answer
                results[message["method"]] = answer.get("result")
    return results


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
def test_every_request_of_a_recorded_start_is_answered(
    make_client: Callable[..., RawClient], project: Path, editor: str
) -> None:
    recording = _recording(editor, project)
    client = make_client()
    results = _replay(client, recording)
    assert results["initialize"]["serverInfo"]["name"] == "sightline"
    assert results["workspace/semanticSearch"]["coverage"]
    assert results["textDocument/documentSymbol"]
    client.wait_ready()
    asked = {message["method"] for message in client.asked}
    assert {"workspace/configuration", "client/registerCapability"} <= asked <= set(recording["answers"])
    hits = client.request("workspace/semanticSearch", {"query": "pay by card"})["results"]
    assert hits[0]["path"] == "shop/checkout.py"
    assert client.stop() == 0


@pytest.mark.parametrize("editor", ["vscode", "neovim"])
def test_a_recording_has_no_data_of_the_machine_it_was_made_on(editor: str) -> None:
    text = (RECORDINGS / f"{editor}.json").read_text("utf-8")
    assert "file:///" not in text
    assert not any(f"/{folder}/" in text for folder in ("home", "root", "tmp", "Users"))
    assert not re.search(r"\b[A-Z]:\\", text)
