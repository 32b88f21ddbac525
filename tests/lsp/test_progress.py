"""Indexing shows in the progress bar, can be cancelled and goes on; partial results are streamed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightline.lsp.uris import from_path
from tests.lsp.project import write_modules

if TYPE_CHECKING:
    from tests.lsp.talker import Talker

Talk = Callable[..., "Talker"]
BAR = {"window": {"workDoneProgress": True}}


def _values(talker: Talker, token: str) -> list[dict[str, Any]]:
    told = [message["params"] for message in talker.told if message["method"] == "$/progress"]
    return [params["value"] for params in told if params["token"] == token]


def _token(talker: Talker) -> str:
    def created() -> list[str]:
        asked = [message for message in talker.asked if message["method"] == "window/workDoneProgress/create"]
        return [message["params"]["token"] for message in asked]

    talker.wait(lambda: bool(created()))
    return created()[0]


def test_progress_begins_reports_and_ends(talk: Talk, tmp_path: Path) -> None:
    talker = talk()
    talker.start(write_modules(tmp_path / "large", files=600, functions=80), BAR)
    token = _token(talker)
    talker.wait(lambda: any(value["kind"] == "end" for value in _values(talker, token)))
    values = _values(talker, token)
    assert values[0]["kind"] == "begin"
    assert values[0]["cancellable"] is True
    assert "large" in values[0]["title"]
    assert [value["kind"] for value in values[1:-1]] == ["report"] * (len(values) - 2)
    assert all(0 <= value["percentage"] <= 100 for value in values[:-1])


def test_cancelled_indexing_stops_and_reindex_goes_on(talk: Talk, tmp_path: Path) -> None:
    talker = talk()
    talker.start(write_modules(tmp_path / "large", files=1200, functions=80), BAR)
    token = _token(talker)
    talker.wait(lambda: bool(_values(talker, token)))
    talker.notify("window/workDoneProgress/cancel", {"token": token})
    talker.wait(lambda: any(value["kind"] == "end" for value in _values(talker, token)))
    folder = talker.request("workspace/indexStatus", {})["folders"][0]
    assert folder["filesIndexed"] < 1200
    talker.request("workspace/executeCommand", {"command": "sightline.reindex"})
    talker.wait_ready()
    assert talker.request("workspace/indexStatus", {})["folders"][0]["filesIndexed"] == 1200


def test_a_client_without_progress_is_not_asked_for_a_bar(talk: Talk, project: Path) -> None:
    talker = talk()
    talker.start(project)
    talker.wait_ready()
    assert not [message for message in talker.asked if "workDoneProgress" in message["method"]]


def test_status_notifications_come_at_most_four_times_a_second(talk: Talk, tmp_path: Path) -> None:
    talker = talk()
    talker.start(write_modules(tmp_path / "large", files=200, functions=80))
    talker.wait_ready()
    seen = [message for message in talker.told if message["method"] == "$/sightline/statusChanged"]
    assert 1 <= len(seen) <= 1 + 4 * talker.seconds
    assert seen[-1]["params"]["folders"][0]["uri"] == from_path(str(tmp_path / "large"))


def test_partial_results_come_before_the_answer(talk: Talk, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "basket.go").write_text("package basket\n\nfunc FillBasket() {}\n")
    folders = [{"uri": from_path(str(root)), "name": root.name} for root in (project, other)]
    talker = talk()
    talker.start(project, workspaceFolders=folders)
    talker.wait_ready()
    answer = talker.request("workspace/semanticSearch", {"query": "basket", "partialResultToken": "part"})
    partial = _values(talker, "part")
    assert partial
    shown = {(hit["folder"], hit["path"]) for value in partial for hit in value["results"]}
    assert {(hit["folder"], hit["path"]) for hit in answer["results"]} <= shown
    assert {hit["folder"] for hit in answer["results"]} == {folder["uri"] for folder in folders}
