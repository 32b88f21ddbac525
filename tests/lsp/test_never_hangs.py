"""Every request gets a response, in any number and of any shape."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sightline.requests.uris import from_path
from tests.lsp.project import write_modules

if TYPE_CHECKING:
    from tests.lsp.raw_client import RawClient

MakeClient = Callable[..., "RawClient"]
INVALID_PARAMS = -32602
CUSTOM = ("workspace/semanticSearch", "textDocument/related")
STANDARD = (
    "textDocument/hover",
    "textDocument/documentSymbol",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "workspace/symbol",
    "workspace/executeCommand",
    "workspaceSymbol/resolve",
)
WRONG: tuple[Any, ...] = (None, [], "text", 7, {}, {"textDocument": None}, {"position": {"line": -1}})


@pytest.mark.parametrize("method", CUSTOM + STANDARD)
def test_missing_and_wrong_params_are_invalid_params(client: RawClient, method: str) -> None:
    client.send({"id": "absent", "method": method})
    assert client.answer("absent")["error"]["code"] == INVALID_PARAMS
    for wrong in WRONG:
        error = client.answer(client.ask(method, wrong))["error"]
        assert error["code"] == INVALID_PARAMS
        assert error["message"]


def test_index_status_needs_no_params(client: RawClient) -> None:
    client.send({"id": "bare", "method": "workspace/indexStatus"})
    assert client.answer("bare")["result"]["folders"]


def test_a_limit_out_of_range_is_explained(client: RawClient) -> None:
    error = client.answer(client.ask("workspace/semanticSearch", {"query": "x", "limit": 10**12}))["error"]
    assert error["code"] == INVALID_PARAMS
    assert "params.limit" in error["message"]
    assert "1000" in error["message"]


def test_an_unknown_method_is_not_found(client: RawClient) -> None:
    assert client.answer(client.ask("workspace/noSuchThing", {}))["error"]["code"] == -32601
    assert client.answer(client.ask("textDocument/completion", {}))["error"]["code"] == -32601


@pytest.mark.parametrize("method", ["textDocument/didOpen", "initialized", "exit", "$/setTrace"])
def test_a_notification_sent_as_a_request_is_refused(client: RawClient, method: str) -> None:
    assert client.answer(client.ask(method, {}))["error"]["code"] in (-32600, -32601)


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"7", b'"x"', b"\xff\xfe", b"{}", b"[" * 100_000, b'{"jsonrpc":"1.0"}']
)
def test_a_body_that_is_not_a_message_is_refused_without_an_id(client: RawClient, body: bytes) -> None:
    client.send_bytes(body)
    assert client.answer(None)["error"]["code"] in (-32700, -32600)
    assert client.request("workspace/indexStatus", {})["folders"]


@pytest.mark.parametrize("msg_id", [None, 1.5, True, [], {}])
def test_an_invalid_id_is_refused(client: RawClient, msg_id: Any) -> None:
    client.send({"id": msg_id, "method": "workspace/indexStatus"})
    assert client.answer(None)["error"]["code"] == -32600


def test_a_params_object_that_looks_like_a_message_is_only_params(client: RawClient) -> None:
    query = {"query": "basket", "filters": None, "jsonrpc": "2.0", "id": 1, "method": "exit"}
    assert client.request("workspace/semanticSearch", query)["coverage"]


def test_responses_to_unknown_requests_are_ignored(client: RawClient) -> None:
    client.send({"id": "never-asked", "result": {"x": 1}})
    client.send({"id": 3, "error": {"code": 1, "message": "no"}})
    client.send({"id": None, "result": None})
    assert client.request("workspace/indexStatus", {})["folders"]


def test_edits_of_documents_that_are_not_open_are_ignored(client: RawClient) -> None:
    uri = from_path(str(client.root / "shop/basket.py"))
    change = {"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"text": "x"}]}
    client.notify("textDocument/didChange", change)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didSave", {"textDocument": {"uri": "untitled:nothing"}})
    assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})


def test_a_cancelled_request_is_answered_as_cancelled(client: RawClient) -> None:
    client.wait_ready()
    waiting = [f"cancelled-{n}" for n in range(40)]
    search, cancel = "workspace/semanticSearch", "$/cancelRequest"
    asked = [{"id": each, "method": search, "params": {"query": f"basket {each}"}} for each in waiting]
    # In one piece with the requests: these could all be answered before a separate message arrives.
    client.send(*asked, *({"method": cancel, "params": {"id": each}} for each in waiting))
    answers = [client.answer(msg_id) for msg_id in waiting]
    codes = {answer["error"]["code"] for answer in answers if "error" in answer}
    assert codes == {-32800}
    assert client.request("workspace/semanticSearch", {"query": "credit card"})["results"]


def test_cancelling_an_unknown_request_is_ignored(client: RawClient) -> None:
    for msg_id in (99, "x"):
        client.notify("$/cancelRequest", {"id": msg_id})
    assert client.request("workspace/indexStatus", {})["folders"]


def test_a_hundred_requests_are_answered_while_indexing(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client()
    root = write_modules(tmp_path / "busy", files=300, functions=60)
    client.start(root)
    document = {"textDocument": {"uri": from_path(str(root / "module_7.py"))}}
    asks: list[tuple[str, dict[str, Any]]] = [
        ("workspace/semanticSearch", {"query": "multiply a value"}),
        ("workspace/symbol", {"query": "function_5"}),
        ("workspace/indexStatus", {}),
        ("textDocument/hover", {**document, "position": {"line": 1, "character": 5}}),
        ("textDocument/documentSymbol", document),
    ]
    waiting = [client.ask(*asks[number % len(asks)]) for number in range(100)]
    answers = [client.answer(msg_id) for msg_id in waiting]
    assert not [answer for answer in answers if "error" in answer]
    states = [answer["result"]["coverage"]["state"] for answer in answers[::5]]
    assert "indexing" in states, "the folder was too small, indexing had already finished"


def test_the_server_survives_a_client_that_stops_reading(make_client: MakeClient, project: Path) -> None:
    client = make_client()
    client.start(project)
    # Far more than a pipe holds, requested without reading anything in between.
    asked = [client.ask("workspace/semanticSearch", {"query": "basket", "explain": True}) for _ in range(200)]
    assert all("result" in client.answer(msg_id) for msg_id in asked)


def test_every_message_is_json_without_nan(client: RawClient) -> None:
    client.wait_ready()
    answer = client.request("workspace/semanticSearch", {"query": "basket", "explain": True})
    json.dumps(answer, allow_nan=False)


def test_a_content_length_over_the_limit_is_refused_at_once(make_client: MakeClient, project: Path) -> None:
    client = make_client()
    client.start(project)
    assert client.process.stdin is not None
    client.process.stdin.write(b"Content-Length: 9999999999\r\n\r\n")
    client.process.stdin.flush()
    assert "9999999999" in client.answer(None)["error"]["message"]
