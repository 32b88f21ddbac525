"""Random and mutated messages, for a bounded time: the server stays up and answers the next valid one."""

from __future__ import annotations

import copy
import itertools
import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.requests.uris import from_path

if TYPE_CHECKING:
    from tests.lsp.raw_client import RawClient

BOUNDED = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
NUMBERS = itertools.count()
DOCUMENT = {"textDocument": {"uri": "URI"}}
PLACE = {**DOCUMENT, "position": {"line": 3, "character": 2}}
RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 2}}
LOCATION = {"uri": "URI", "range": RANGE}
OPENED = {"uri": "URI", "languageId": "python", "version": 1, "text": "x = 1"}
FIND_RELATED = {"command": "sightline.findRelated", "arguments": [{"uri": "URI", **PLACE}]}

SEARCH = {
    "query": "credit card",
    "limit": 3,
    "filters": {"languages": ["python"], "paths": ["**"]},
    "context": {"before": 1, "after": 1},
    "minScore": 0.1,
    "partialResultToken": "t",
}
EDIT = {"textDocument": {"uri": "URI", "version": 2}, "contentChanges": [{"range": RANGE, "text": "y\n"}]}
RENAME = {"files": [{"oldUri": "URI", "newUri": "URI"}]}

REQUESTS: list[tuple[str, Any]] = [
    ("workspace/semanticSearch", SEARCH),
    ("textDocument/related", {**PLACE, "limit": 3}),
    ("workspace/indexStatus", {}),
    ("workspace/sightlineTool", {"name": "search", "arguments": {"query": "card", "kinds": ["function"]}}),
    ("workspace/sightlineTool", {"name": "related", "arguments": {"path": "shop/checkout.py", "line": 6}}),
    ("workspace/symbol", {"query": "basket"}),
    ("workspaceSymbol/resolve", {"name": "x", "kind": 12, "location": LOCATION, "data": {}}),
    ("textDocument/documentSymbol", DOCUMENT),
    ("textDocument/hover", PLACE),
    ("textDocument/codeAction", {**DOCUMENT, "range": RANGE, "context": {"diagnostics": []}}),
    ("textDocument/codeLens", DOCUMENT),
    ("workspace/executeCommand", FIND_RELATED),
    ("workspace/willRenameFiles", RENAME),
]
NOTIFICATIONS: list[tuple[str, Any]] = [
    ("textDocument/didOpen", {"textDocument": OPENED}),
    ("textDocument/didChange", EDIT),
    ("textDocument/didSave", DOCUMENT),
    ("textDocument/didClose", DOCUMENT),
    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "URI", "type": 2}]}),
    ("workspace/didRenameFiles", RENAME),
    ("workspace/didChangeConfiguration", {"settings": {"sightline": {"search": {"limit": 4}}}}),
    ("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}}),
    ("window/workDoneProgress/cancel", {"token": "x"}),
    ("$/cancelRequest", {"id": 1}),
    ("$/setTrace", {"value": "off"}),
]

texts = st.text(max_size=8) | st.sampled_from(["", "file:///", "untitled:x", "\ud800", "\0", "a" * 3000])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def _paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(path for key, each in inner for path in _paths(each, (*here, key)))]


def _replace(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = _replace(value[path[0]], path[1:], new)
    return changed


@st.composite
def _mutated(draw: st.DrawFn, templates: list[tuple[str, Any]]) -> tuple[str, Any]:
    """A valid message with some of its members replaced."""
    method, params = draw(st.sampled_from(templates))
    for _ in range(draw(st.integers(0, 3))):
        params = _replace(params, draw(st.sampled_from(_paths(params))), draw(values))
    return method, params


def _addressed(client: RawClient, params: Any) -> Any:
    """The params with a real URI where the template has its placeholder."""
    uri = from_path(str(client.root / "shop/checkout.py"))
    return json.loads(json.dumps(params).replace('"URI"', json.dumps(uri)))


def _answers(client: RawClient) -> None:
    assert client.request("workspace/semanticSearch", {"query": "credit card"})["coverage"]
    assert client.process.poll() is None


@BOUNDED
@given(st.lists(_mutated(REQUESTS), min_size=1, max_size=5))
def test_every_mutated_request_is_answered(client: RawClient, requests: list[tuple[str, Any]]) -> None:
    asked = []
    for method, params in requests:
        asked.append(f"fuzz-{next(NUMBERS)}")
        client.send({"id": asked[-1], "method": method, "params": _addressed(client, params)})
    for msg_id in asked:
        answer = client.answer(msg_id)
        assert ("result" in answer) != ("error" in answer)
        # A bad request is the client's error; an internal error would be the server's.
        assert answer.get("error", {}).get("code") != -32603, answer
    _answers(client)


@BOUNDED
@given(st.lists(_mutated(NOTIFICATIONS), min_size=1, max_size=5))
def test_the_server_survives_every_mutated_notification(
    client: RawClient, notifications: list[tuple[str, Any]]
) -> None:
    for method, params in notifications:
        client.notify(method, _addressed(client, params))
    _answers(client)


@BOUNDED
@given(st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), values))
def test_the_server_survives_every_random_message(client: RawClient, message: dict[str, Any]) -> None:
    client.send({"jsonrpc": "2.0", **message})
    _answers(client)


@BOUNDED
@given(st.binary(max_size=60))
def test_the_server_survives_every_random_body(client: RawClient, body: bytes) -> None:
    client.send_bytes(body)
    _answers(client)
