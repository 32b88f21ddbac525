"""workspace/sightlineTool: the request through which an editor serves its own agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _call(editor: Editor, name: str, **arguments: object) -> str:
    answer = await editor.ask("workspace/sightlineTool", {"name": name, "arguments": arguments})
    assert set(answer) == {"text"}
    return str(answer["text"])


async def test_the_tools_answer_in_text(editor: Editor) -> None:
    assert "shop/checkout.py:" in await _call(editor, "search", query="credit card")
    assert "shop/checkout.py:" in await _call(editor, "symbols", query="charge")
    assert f"{editor.root}: ready" in await _call(editor, "status")


async def test_unsaved_text_has_priority_over_the_file(editor: Editor) -> None:
    path = "shop/checkout.py"
    text = (editor.root / path).read_text("utf-8")
    editor.open(path, text.replace("return len(number)", "return unsaved(number)"))
    try:
        assert "return unsaved(number)" in await _call(editor, "search", query="charge_credit_card")
        assert "shop/checkout.py:13" in await _call(editor, "related", path=path, line=6)
    finally:
        editor.close(path)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"name": "nothing"}, "Unknown tool"),
        ({"name": "search", "arguments": {}}, "query is missing"),
        ({"name": "search", "arguments": {"query": "a", "lang": "go"}}, "not known"),
        ({"name": "related", "arguments": {"path": "../x", "line": 1}}, "There is no file"),
        ({}, "name is missing"),
    ],
)
async def test_an_invalid_call_is_an_error(editor: Editor, params: object, message: str) -> None:
    with pytest.raises(JsonRpcException, match=message):
        await editor.ask("workspace/sightlineTool", params)
