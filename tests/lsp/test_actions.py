"""Code actions, with and without a client that knows more than commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sightline.lsp.uris import from_path

if TYPE_CHECKING:
    from tests.lsp.raw_client import RawClient

KINDS: dict[str, Any] = {"codeActionKind": {"valueSet": []}}
LITERALS = {"textDocument": {"codeAction": {"codeActionLiteralSupport": KINDS}}}
PLACE = {"line": 10, "character": 6}


def _asked(project: Path, **context: Any) -> dict[str, Any]:
    return {
        "textDocument": {"uri": from_path(str(project / "shop/checkout.py"))},
        "range": {"start": PLACE, "end": PLACE},
        "context": {"diagnostics": [], **context},
    }


@pytest.mark.parametrize("capabilities", [LITERALS, {}])
def test_the_code_action_leads_to_related_code(
    talk: Callable[..., RawClient], project: Path, capabilities: dict[str, Any]
) -> None:
    client = talk()
    client.start(project, capabilities)
    client.wait_ready()
    action = client.request("textDocument/codeAction", _asked(project))[0]
    command = action["command"] if capabilities else action
    params = {"command": command["command"], "arguments": command["arguments"]}
    hits = client.request("workspace/executeCommand", params)["results"]
    assert command["command"] == "sightline.findRelated"
    assert "shop/basket.py" in {hit["path"] for hit in hits}


def test_no_action_is_offered_among_quick_fixes(talk: Callable[..., RawClient], project: Path) -> None:
    client = talk()
    client.start(project, LITERALS)
    assert client.request("textDocument/codeAction", _asked(project, only=["quickfix"])) == []
