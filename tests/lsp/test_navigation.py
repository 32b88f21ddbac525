"""Call hierarchy and references: off by default, correct where they are enabled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.lsp.raw_client import RawClient

ON = {"navigation": {"languages": ["python"]}}
_DYNAMIC = {"dynamicRegistration": True}


def _place(root: Path, path: str, text: str) -> dict[str, Any]:
    for number, line in enumerate((root / path).read_text("utf-8").split("\n")):
        if text in line:
            position = {"line": number, "character": line.index(text) + 1}
            return {"textDocument": {"uri": (root / path).as_uri()}, "position": position}
    raise AssertionError(f"{text} is not in {path}")


def test_no_navigation_capability_is_announced_by_default(
    make_client: Callable[..., RawClient], project: Path
) -> None:
    answer = make_client().start(project)
    assert "referencesProvider" not in answer["capabilities"]
    assert "callHierarchyProvider" not in answer["capabilities"]


def test_the_call_hierarchy_has_incoming_and_outgoing_calls(
    make_client: Callable[..., RawClient], project: Path
) -> None:
    client = make_client()
    answer = client.start(project, initializationOptions=ON)
    assert answer["capabilities"]["referencesProvider"]
    client.wait_ready()
    place = _place(project, "shop/checkout.py", "charge_credit_card")
    (item,) = client.request("textDocument/prepareCallHierarchy", place)
    assert item["name"] == "charge_credit_card"
    (call,) = client.request("callHierarchy/incomingCalls", {"item": item})
    assert call["from"]["name"] == "checkout"
    assert call["fromRanges"][0]["start"] == {"line": 12, "character": 11}
    calls = client.request("callHierarchy/outgoingCalls", {"item": call["from"]})
    assert {each["to"]["name"] for each in calls} == {"charge_credit_card", "total_price"}


def test_references_are_the_calls_and_the_definition(
    make_client: Callable[..., RawClient], project: Path
) -> None:
    client = make_client()
    client.start(project, initializationOptions=ON)
    client.wait_ready()
    place = _place(project, "shop/basket.py", "total_price")
    for declared in (False, True):
        context = {"includeDeclaration": declared}
        found = client.request("textDocument/references", {**place, "context": context})
        paths = [Path(each["uri"]).name for each in found]
        assert paths == ["basket.py"] * declared + ["checkout.py"]


def test_a_language_that_is_not_enabled_gets_no_answers(
    make_client: Callable[..., RawClient], project: Path
) -> None:
    client = make_client()
    client.start(project, initializationOptions=ON)
    client.wait_ready()
    place = _place(project, "web/session.js", "refreshSessionToken")
    assert client.request("textDocument/prepareCallHierarchy", place) is None


def test_dynamic_registration_names_the_enabled_languages(
    make_client: Callable[..., RawClient], project: Path
) -> None:
    (project / ".sightline.toml").write_text("[navigation]\nlanguages = ['python']\n")
    client = make_client()
    abilities = {"textDocument": {"references": _DYNAMIC, "callHierarchy": _DYNAMIC}}
    answer = client.start(project, abilities)
    assert "referencesProvider" not in answer["capabilities"]
    client.wait_ready()
    place = _place(project, "shop/checkout.py", "charge_credit_card")
    client.wait(lambda: "textDocument/references" in _registered(client))
    assert client.request("textDocument/prepareCallHierarchy", place)


def _registered(client: RawClient) -> set[str]:
    return {
        registration["method"]
        for asked in client.asked
        if asked["method"] == "client/registerCapability"
        for registration in asked["params"]["registrations"]
    }
