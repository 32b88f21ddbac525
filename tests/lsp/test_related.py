"""Related code: the request, hover, code actions, lenses and commands, with every editor's capabilities."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sightline.lsp.positions import to_client

if TYPE_CHECKING:
    from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")
REASONS = {"definition", "called by", "calls", "test of", "tested by", "implements", "same name", "similar"}


def _place(editor: Editor, path: str, text: str) -> dict[str, Any]:
    """The start of a text in a file, in the client's units."""
    for number, line in enumerate((editor.root / path).read_text("utf-8").split("\n")):
        if text in line:
            character = to_client(line, line.index(text), editor.encoding)
            return {
                "textDocument": {"uri": editor.uri(path)},
                "position": {"line": number, "character": character},
            }
    raise AssertionError(f"{text} is not in {path}")


async def _hover(editor: Editor, place: dict[str, Any]) -> str | None:
    answer = await editor.ask("textDocument/hover", place)
    return None if answer is None else answer.contents.value


async def test_related_code_has_reasons(editor: Editor) -> None:
    answer = await editor.ask("textDocument/related", _place(editor, "shop/checkout.py", "checkout("))
    assert answer["results"]
    assert {hit["reason"] for hit in answer["results"]} <= REASONS
    assert "shop/basket.py" in {hit["path"] for hit in answer["results"]}


async def test_related_works_in_an_unsaved_document(editor: Editor) -> None:
    path = "shop/basket.py"
    text = (
        "from shop.checkout import charge_credit_card\n\n\ndef pay():\n    charge_credit_card('1', 2)\n\n\n"
    )
    editor.open(path, text + (editor.root / path).read_text("utf-8"))
    try:
        place = {"textDocument": {"uri": editor.uri(path)}, "position": {"line": 3, "character": 5}}
        answer = await editor.ask("textDocument/related", place)
        assert ("calls", "shop/checkout.py") in {(hit["reason"], hit["path"]) for hit in answer["results"]}
    finally:
        editor.close(path)


async def test_a_position_after_the_end_has_no_related_code(editor: Editor) -> None:
    place = _place(editor, "shop/checkout.py", "checkout(")
    place["position"] = {"line": 9999, "character": 9999}
    assert (await editor.ask("textDocument/related", place))["results"] == []


async def test_a_document_that_is_not_a_file_is_refused(editor: Editor) -> None:
    place = {"textDocument": {"uri": "untitled:Untitled-1"}, "position": {"line": 0, "character": 0}}
    with pytest.raises(JsonRpcException, match="untitled") as caught:
        await editor.ask("textDocument/related", place)
    assert caught.value.code == -32602


async def test_a_hover_shows_the_symbol_and_links(editor: Editor) -> None:
    place = _place(editor, "shop/checkout.py", "charge_credit_card(number")

    async def with_related() -> str | None:
        # A server that is busy answers in time, without the related code.
        text = await _hover(editor, place)
        return text if text is not None and "called by" in text else None

    text = await editor.until(with_related)
    assert "charge_credit_card" in text.splitlines()[0]
    assert "def charge_credit_card(number: str, amount: float) -> bool" in text
    if "**" in text:
        assert f"]({editor.uri('shop/')}" in text
        assert "#L" in text


async def test_a_hover_shows_at_most_five_related_places(editor: Editor) -> None:
    callers = "".join(f"def pay_{n}():\n    return charge_credit_card('', {n})\n\n\n" for n in range(8))
    text = f"from shop.checkout import charge_credit_card\n\n\n{callers}"
    editor.save("shop/many.py", text)
    await editor.finds("pay_7", "shop/many.py")

    async def with_related() -> str | None:
        text = await _hover(editor, _place(editor, "shop/checkout.py", "charge_credit_card(number"))
        return text if text is not None and "many.py" in text else None

    text = await editor.until(with_related)
    assert 2 <= len(re.findall(r"\.py:\d", text)) <= 5
    (editor.root / "shop/many.py").unlink()
    gone = types.FileEvent(editor.uri("shop/many.py"), types.FileChangeType.Deleted)
    editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([gone]))
    await editor.loses("pay_7", "shop/many.py")
    await editor.ready()


async def test_a_hover_counts_columns_in_the_clients_units(editor: Editor) -> None:
    text = await _hover(editor, _place(editor, "umlaut/größe.py", "größe_messen"))
    assert text is not None
    assert "größe_messen" in text


async def test_there_is_no_hover_on_whitespace_and_comments(editor: Editor) -> None:
    assert await _hover(editor, _place(editor, "web/session.js", "Keeps people")) is None
    place = _place(editor, "shop/basket.py", "class Basket")
    place["position"]["line"] -= 1
    assert await _hover(editor, place) is None


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "file:///not/there.py", "git:/x.py?ref"])
async def test_there_is_no_hover_outside_the_workspace(editor: Editor, uri: str) -> None:
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    assert await _hover(editor, place) is None


async def test_lenses_are_off_by_default(editor: Editor) -> None:
    identifier = types.TextDocumentIdentifier(editor.uri("shop/basket.py"))
    assert not await editor.text_document_code_lens_async(types.CodeLensParams(identifier))


async def test_show_status_returns_the_status_and_a_one_line_summary(editor: Editor) -> None:
    answer = await editor.ask("workspace/executeCommand", {"command": "sightline.showStatus"})
    assert answer["folders"][0]["state"] == "ready"
    assert "5 of 5 files" in editor.messages[-1].message


@pytest.mark.parametrize("command", ["sightline.reindex", "sightline.clear"])
async def test_a_command_on_an_unknown_folder_is_refused(editor: Editor, command: str) -> None:
    params = {"command": command, "arguments": ["file:///elsewhere"]}
    with pytest.raises(JsonRpcException, match="elsewhere") as caught:
        await editor.ask("workspace/executeCommand", params)
    assert caught.value.code == -32602


async def test_an_unknown_command_is_refused(editor: Editor) -> None:
    with pytest.raises(JsonRpcException) as caught:
        await editor.ask("workspace/executeCommand", {"command": "sightline.dance"})
    assert caught.value.code == -32602


async def test_clear_empties_the_index_and_reindex_fills_it(editor: Editor) -> None:
    folder = editor.uri("")
    await editor.ask("workspace/executeCommand", {"command": "sightline.clear", "arguments": [folder]})
    await editor.loses("credit card", "shop/checkout.py")
    await editor.ask("workspace/executeCommand", {"command": "sightline.reindex"})
    await editor.finds("credit card", "shop/checkout.py")
    await editor.ready()
