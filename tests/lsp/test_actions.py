"""Code actions, with and without a client that knows more than commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sightline.lsp.uris import from_path

if TYPE_CHECKING:
    from tests.lsp.talker import Talker

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
    talk: Callable[..., Talker], project: Path, capabilities: dict[str, Any]
) -> None:
    talker = talk()
    talker.start(project, capabilities)
    talker.wait_ready()
    action = talker.request("textDocument/codeAction", _asked(project))[0]
    command = action["command"] if capabilities else action
    params = {"command": command["command"], "arguments": command["arguments"]}
    hits = talker.request("workspace/executeCommand", params)["results"]
    assert command["command"] == "sightline.findRelated"
    assert "shop/basket.py" in {hit["path"] for hit in hits}


def test_no_action_is_offered_among_quick_fixes(talk: Callable[..., Talker], project: Path) -> None:
    talker = talk()
    talker.start(project, LITERALS)
    assert talker.request("textDocument/codeAction", _asked(project, only=["quickfix"])) == []
