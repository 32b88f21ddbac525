"""Offers "Find related" where the cursor is, and above definitions when the lens is switched on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sightline.errors import InvalidRequest
from sightline.lsp.document_outline import name_range
from sightline.lsp.features.commands import FIND_RELATED
from sightline.lsp.features.symbol_requests import definitions

if TYPE_CHECKING:
    from sightline.lsp.positions import Encoding, LineTable
    from sightline.lsp.server import SightlineServer
    from sightline.types import Symbol

_TITLE = "Find related code"


def register(server: SightlineServer) -> None:
    """Handle code actions and code lenses."""
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION)(code_actions)
    server.feature(types.TEXT_DOCUMENT_CODE_LENS)(code_lenses)


def code_actions(
    ls: SightlineServer, params: types.CodeActionParams
) -> list[types.CodeAction] | list[types.Command]:
    """One action, unless the client asked for fixes or refactorings only."""
    only = params.context.only
    wanted = only is None or types.CodeActionKind.Empty in only
    if not wanted or ls.session.roots.locate(params.text_document.uri) is None:
        return []
    command = _command(params.text_document.uri, params.range.start)
    return [types.CodeAction(_TITLE, command=command)] if ls.session.client.knows_actions else [command]


async def code_lenses(ls: SightlineServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """A lens above each outermost definition."""
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
    return types.CodeLens(types.Range(start, start), command=_command(uri, at))


def _command(uri: str, position: types.Position) -> types.Command:
    argument: dict[str, Any] = {
        "uri": uri,
        "position": {"line": position.line, "character": position.character},
    }
    return types.Command(_TITLE, FIND_RELATED, arguments=[argument])
