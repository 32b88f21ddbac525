"""Workspace symbols and the outline of a document, with every editor's capabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

from sightline.lsp.positions import LineTable, from_client

if TYPE_CHECKING:
    from tests.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _named(editor: Editor, query: str) -> list[Any]:
    return list(await editor.workspace_symbol_async(types.WorkspaceSymbolParams(query)) or ())


def _text_at(editor: Editor, path: str, place: types.Range) -> str:
    line = LineTable((editor.root / path).read_text("utf-8")).line(place.start.line)
    encoding = editor.encoding
    start, end = (from_client(line, at.character, encoding) for at in (place.start, place.end))
    return line[start:end]


@pytest.mark.parametrize("query", ["charge_credit_card", "ccc", "chargecard", "credit"])
async def test_a_definition_is_found_by_parts_of_its_name(editor: Editor, query: str) -> None:
    assert "charge_credit_card" in [symbol.name for symbol in await _named(editor, query)]


async def test_a_method_is_found_with_its_container(editor: Editor) -> None:
    first = (await _named(editor, "Basket.total"))[0]
    assert (first.name, first.kind) == ("total_price", types.SymbolKind.Method)
    assert first.location.uri == editor.uri("shop/basket.py")


async def test_a_symbol_resolves_to_exactly_its_name(editor: Editor) -> None:
    symbol = next(each for each in await _named(editor, "größe_messen") if each.name == "größe_messen")
    if editor.resolves_symbols:
        symbol = await editor.workspace_symbol_resolve_async(symbol)
    assert _text_at(editor, "umlaut/größe.py", symbol.location.range) == "größe_messen"


async def test_an_empty_query_returns_few_or_no_symbols(editor: Editor) -> None:
    assert len(await _named(editor, "")) <= 100


async def test_the_outline_has_every_definition(editor: Editor) -> None:
    identifier = types.TextDocumentIdentifier(editor.uri("shop/basket.py"))
    outline = await editor.text_document_document_symbol_async(types.DocumentSymbolParams(identifier))
    names = {symbol.name for symbol in outline or ()}
    if isinstance((outline or [None])[0], types.DocumentSymbol):
        names |= {child.name for symbol in outline for child in symbol.children or ()}
    assert {"Basket", "add_item", "total_price"} <= names


async def test_the_outline_follows_unsaved_edits(editor: Editor) -> None:
    path = "shop/checkout.py"
    editor.open(path, "def only_here():\n    pass\n")
    try:
        identifier = types.TextDocumentIdentifier(editor.uri(path))
        outline = await editor.text_document_document_symbol_async(types.DocumentSymbolParams(identifier))
        assert [symbol.name for symbol in outline or ()] == ["only_here"]
    finally:
        editor.close(path)


async def test_a_missing_file_has_no_outline(editor: Editor) -> None:
    identifier = types.TextDocumentIdentifier(editor.uri("not/there.py"))
    assert not await editor.text_document_document_symbol_async(types.DocumentSymbolParams(identifier))
