"""Offers "Find related code" and "Search for this" as code actions, and a lens above definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sightline.errors import InvalidRequest
from sightline.lsp.document_outline import name_range
from sightline.lsp.features.commands import FIND_RELATED, SEARCH
from sightline.lsp.features.symbol_requests import definitions
from sightline.lsp.positions import Encoding, LineTable

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer
    from sightline.parsed_file import Symbol

_RELATED_TITLE = "Find related code"
_RELATED_TOOLTIP = "What calls this, is called by it, tests it or is like it"
_SEARCH_TITLE = "Search for this"
_LONGEST_QUERY = 1000
_WORD = re.compile(r"\w+")
# Code that looks like a filter (`name: str`) or like exact text ("…") would narrow the search.
_FILTER_LIKE = re.compile(r"(?<![\w:])([A-Za-z]+):(?!:)")


def register(server: SightlineServer) -> None:
    """Handle code actions and code lenses."""
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION)(code_actions)
    server.feature(types.TEXT_DOCUMENT_CODE_LENS)(code_lenses)


def code_actions(
    ls: SightlineServer, params: types.CodeActionParams
) -> list[types.CodeAction] | list[types.Command]:
    """The code actions for a range, unless the client requested only fixes or refactorings."""
    only = params.context.only
    wanted = only is None or types.CodeActionKind.Empty in only
    uri = params.text_document.uri
    if not wanted or ls.session.roots.locate(uri) is None:
        return []
    commands = [_related(uri, params.range.start)]
    if query := _query(ls.session.documents.text(uri), params.range, ls.session.encoding):
        commands.append(types.Command(_SEARCH_TITLE, SEARCH, arguments=[query]))
    if not ls.session.client.knows_actions:
        return commands
    return [types.CodeAction(command.title, command=command) for command in commands]


async def code_lenses(ls: SightlineServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """A code lens above each outermost definition."""
    uri = params.text_document.uri
    if not ls.session.settings(ls.session.roots.locate(uri)).code_lens.enabled:
        return []
    try:
        symbols, lines = await definitions(ls, uri)
    except InvalidRequest:
        return []
    return [_lens(uri, each, lines, ls.session.encoding) for each in symbols if not each.container]


def _lens(uri: str, symbol: Symbol, lines: LineTable, encoding: Encoding) -> types.CodeLens:
    at = name_range(symbol, lines.line(symbol.name_line), encoding).start
    start = types.Position(symbol.start_line, 0)
    return types.CodeLens(types.Range(start, start), command=_related(uri, at))


def _related(uri: str, position: types.Position) -> types.Command:
    argument: dict[str, Any] = {
        "uri": uri,
        "position": {"line": position.line, "character": position.character},
    }
    return types.Command(_RELATED_TITLE, FIND_RELATED, tooltip=_RELATED_TOOLTIP, arguments=[argument])


def _query(text: str | None, selected: types.Range, encoding: Encoding) -> str:
    """The selected text of an open document, or the word at the cursor, as a query; may be empty."""
    if text is None:
        return ""
    lines = LineTable(text)
    start, end = (
        lines.offset(place.line, place.character, encoding) for place in (selected.start, selected.end)
    )
    chosen = text[start:end] if start < end else _word(text, start)
    plain = _FILTER_LIKE.sub(r"\1 ", chosen.replace('"', " "))
    return " ".join(plain.split())[:_LONGEST_QUERY]


def _word(text: str, at: int) -> str:
    """The word that contains a position or ends there."""
    first = text.rfind("\n", 0, at) + 1
    words = _WORD.finditer(text, first, min(at + _LONGEST_QUERY, len(text)))
    return next((word.group() for word in words if word.start() <= at <= word.end()), "")
