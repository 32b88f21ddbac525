"""Indexing reports progress, can be cancelled and resumed; partial results are streamed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightline.requests.uris import from_path
from tests.lsp.project import write_modules

if TYPE_CHECKING:
    from tests.lsp.raw_client import RawClient

MakeClient = Callable[..., "RawClient"]
BAR = {"window": {"workDoneProgress": True}}


def _values(client: RawClient, token: str) -> list[dict[str, Any]]:
    return [params["value"] for params in client.notified("$/progress") if params["token"] == token]


def _token(client: RawClient) -> str:
    def created() -> list[str]:
        asked = [message for message in client.asked if message["method"] == "window/workDoneProgress/create"]
        return [message["params"]["token"] for message in asked]

    client.wait(lambda: bool(created()))
    return created()[0]


def test_progress_begins_reports_and_ends(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client()
    client.start(write_modules(tmp_path / "large", files=600, functions=80), BAR)
    token = _token(client)
    client.wait(lambda: any(value["kind"] == "end" for value in _values(client, token)))
    values = _values(client, token)
    assert values[0]["kind"] == "begin"
    assert values[0]["cancellable"] is True
    assert "large" in values[0]["title"]
    assert [value["kind"] for value in values[1:-1]] == ["report"] * (len(values) - 2)
    assert all(0 <= value["percentage"] <= 100 for value in values[:-1])


def test_cancelled_indexing_stops_and_reindex_resumes_it(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client()
    client.start(write_modules(tmp_path / "large", files=1200, functions=80), BAR)
    token = _token(client)
    client.wait(lambda: bool(_values(client, token)))
    client.notify("window/workDoneProgress/cancel", {"token": token})
    client.wait(lambda: any(value["kind"] == "end" for value in _values(client, token)))
    folder = client.request("workspace/indexStatus", {})["folders"][0]
    assert folder["filesIndexed"] < 1200
    client.request("workspace/executeCommand", {"command": "sightline.reindex"})
    client.wait_ready()
    assert client.request("workspace/indexStatus", {})["folders"][0]["filesIndexed"] == 1200


def test_no_progress_is_created_for_a_client_without_support(make_client: MakeClient, project: Path) -> None:
    client = make_client()
    client.start(project)
    client.wait_ready()
    assert not [message for message in client.asked if "workDoneProgress" in message["method"]]


def test_status_notifications_come_at_most_four_times_a_second(
    make_client: MakeClient, tmp_path: Path
) -> None:
    client = make_client()
    client.start(write_modules(tmp_path / "large", files=200, functions=80))
    client.wait_ready()

    def seen() -> list[dict[str, Any]]:
        return client.notified("$/sightline/statusChanged")

    client.wait(lambda: bool(seen()))
    assert len(seen()) <= 1 + 4 * client.seconds
    assert seen()[-1]["folders"][0]["uri"] == from_path(str(tmp_path / "large"))


def test_partial_results_come_before_the_answer(
    make_client: MakeClient, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "basket.go").write_text("package basket\n\nfunc FillBasket() {}\n")
    folders = [{"uri": from_path(str(root)), "name": root.name} for root in (project, other)]
    client = make_client()
    client.start(project, workspaceFolders=folders)
    client.wait_ready()
    answer = client.request("workspace/semanticSearch", {"query": "basket", "partialResultToken": "part"})
    partial = _values(client, "part")
    assert partial
    shown = {(hit["folder"], hit["path"]) for value in partial for hit in value["results"]}
    assert {(hit["folder"], hit["path"]) for hit in answer["results"]} <= shown
    assert {hit["folder"] for hit in answer["results"]} == {folder["uri"] for folder in folders}
