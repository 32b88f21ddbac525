"""Code actions and the search command, for clients with different capabilities."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sightline.requests.uris import from_path, to_path

if TYPE_CHECKING:
    from tests.lsp.raw_client import RawClient

KINDS: dict[str, Any] = {"codeActionKind": {"valueSet": []}}
LITERALS = {"textDocument": {"codeAction": {"codeActionLiteralSupport": KINDS}}}
PLACE = {"line": 10, "character": 6}


SHOWS_DOCUMENTS = {"window": {"showDocument": {"support": True}}}


def _asked(project: Path, end: dict[str, int] = PLACE, **context: Any) -> dict[str, Any]:
    return {
        "textDocument": {"uri": from_path(str(project / "shop/checkout.py"))},
        "range": {"start": PLACE, "end": end},
        "context": {"diagnostics": [], **context},
    }


def _open(client: RawClient, project: Path, text: str) -> None:
    uri = from_path(str(project / "shop/checkout.py"))
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})


def _command(client: RawClient, *arguments: Any) -> Any:
    params = {"command": "sightline.search", "arguments": list(arguments)}
    return client.request("workspace/executeCommand", params)


@pytest.mark.parametrize("capabilities", [LITERALS, {}])
def test_the_code_action_leads_to_related_code(
    make_client: Callable[..., RawClient], project: Path, capabilities: dict[str, Any]
) -> None:
    client = make_client()
    client.start(project, capabilities)
    client.wait_ready()
    action = client.request("textDocument/codeAction", _asked(project))[0]
    command = action["command"] if capabilities else action
    params = {"command": command["command"], "arguments": command["arguments"]}
    hits = client.request("workspace/executeCommand", params)["results"]
    assert command["command"] == "sightline.findRelated"
    assert "calls this" in command["tooltip"]
    assert "shop/basket.py" in {hit["path"] for hit in hits}


def test_no_action_is_offered_among_quick_fixes(make_client: Callable[..., RawClient], project: Path) -> None:
    client = make_client()
    client.start(project, LITERALS)
    assert client.request("textDocument/codeAction", _asked(project, only=["quickfix"])) == []


@pytest.mark.parametrize("capabilities", [LITERALS, {}])
def test_the_word_at_the_cursor_can_be_searched_for(
    make_client: Callable[..., RawClient], project: Path, capabilities: dict[str, Any]
) -> None:
    client = make_client()
    client.start(project, capabilities)
    _open(client, project, (project / "shop/checkout.py").read_text())
    action = client.request("textDocument/codeAction", _asked(project))[1]
    command = action["command"] if capabilities else action
    assert action["title"] == "Search for this"
    assert command["command"] == "sightline.search"
    assert command["arguments"] == ["checkout"]


@pytest.mark.parametrize(
    ("text", "end", "query"),
    [
        ("a bank\n  agrees", {"line": 11, "character": 8}, "a bank agrees"),
        ('name: str = "x"', {"line": 10, "character": 99}, "name str = x"),
        ("std::path", {"line": 10, "character": 99}, "std::path"),
        ("()", PLACE, None),
    ],
)
def test_the_selection_is_searched_for_without_its_filters(
    make_client: Callable[..., RawClient], project: Path, text: str, end: dict[str, int], query: str | None
) -> None:
    client = make_client()
    client.start(project, LITERALS)
    _open(client, project, "\n" * PLACE["line"] + " " * PLACE["character"] + text)
    actions = client.request("textDocument/codeAction", _asked(project, end))
    queries = [action["command"]["arguments"][0] for action in actions[1:]]
    assert queries == ([query] if query else [])


@pytest.mark.parametrize(
    "arguments",
    [
        ["take money from a credit card"],
        ["take", "money", "from", "a", "credit", "card"],
        [{"query": "take money from a credit card", "limit": 3}],
    ],
)
def test_a_client_that_shows_documents_gets_a_results_file(
    make_client: Callable[..., RawClient], project: Path, arguments: list[Any]
) -> None:
    client = make_client()
    client.replies = {"window/showDocument": [{"success": True}]}
    client.start(project, SHOWS_DOCUMENTS)
    client.wait_ready()
    result = _command(client, *arguments)
    path = _shown_page(client)
    rows = [row for row in path.read_text("utf-8").splitlines() if row.startswith("/")]
    assert path.stat().st_mode & 0o077 == 0
    assert [hit["path"] for hit in result["results"]] == [_relative(row, project) for row in rows]
    assert f"{project}/shop/checkout.py:6:5  def charge_credit_card" in rows[0]


def _shown_page(client: RawClient) -> Path:
    """The results file that the server asked the client to show."""
    client.wait(lambda: any(asked["method"] == "window/showDocument" for asked in client.asked))
    shown = next(asked["params"] for asked in client.asked if asked["method"] == "window/showDocument")
    assert shown["takeFocus"] is True
    return Path(to_path(shown["uri"]) or "")


def _relative(row: str, project: Path) -> str:
    return row.split(":", maxsplit=1)[0].removeprefix(f"{project}/")


def test_related_code_is_shown_in_groups_by_a_client_that_shows_documents(
    make_client: Callable[..., RawClient], project: Path
) -> None:
    client = make_client()
    client.replies = {"window/showDocument": [{"success": True}]}
    client.start(project, SHOWS_DOCUMENTS)
    client.wait_ready()
    command = client.request("textDocument/codeAction", _asked(project))[0]
    params = {"command": command["command"], "arguments": command["arguments"]}
    client.request("workspace/executeCommand", params)
    rows = _shown_page(client).read_text("utf-8").splitlines()
    assert rows[0] == "Sightline: related code"
    calls = rows[rows.index("calls:") + 2 :]
    assert calls[0].startswith(f"{project}/shop/checkout.py:6:5  def charge_credit_card")
    assert calls[1].startswith(f"{project}/shop/basket.py:11:9  def total_price")


def test_a_client_that_shows_no_documents_gets_the_first_results_as_a_message(
    make_client: Callable[..., RawClient], project: Path
) -> None:
    client = make_client()
    client.start(project)
    client.wait_ready()
    result = _command(client, "take money from a credit card")
    shown = client.shown()
    assert result["results"][0]["path"] == "shop/checkout.py"
    assert shown[0].startswith("shop/checkout.py:6 def charge_credit_card")
    assert not [asked for asked in client.asked if asked["method"] == "window/showDocument"]


def test_old_results_files_are_deleted(
    make_client: Callable[..., RawClient], project: Path, tmp_path: Path
) -> None:
    client = make_client()
    client.replies = {"window/showDocument": [{"success": True}]}
    client.start(project, SHOWS_DOCUMENTS)
    client.wait_ready()
    for number in range(25):
        _command(client, f"query {number}")
    assert len(list((tmp_path / "home/cache/results").iterdir())) == 20


@pytest.mark.parametrize("arguments", [[], [3], ["two", 3]])
def test_a_search_command_without_a_query_is_refused(
    make_client: Callable[..., RawClient], project: Path, arguments: list[Any]
) -> None:
    client = make_client()
    client.start(project)
    params = {"command": "sightline.search", "arguments": arguments}
    answer = client.answer(client.ask("workspace/executeCommand", params))
    assert "expects the words of a query" in answer["error"]["message"]
