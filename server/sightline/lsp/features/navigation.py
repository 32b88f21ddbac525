"""Call hierarchy and references, for the languages in the settings; others have their own servers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sightline.errors import InvalidRequest
from sightline.lsp.client import register_capabilities
from sightline.lsp.cursor import Cursor, ask_at
from sightline.lsp.document_outline import name_range
from sightline.lsp.features.symbol_requests import Lines
from sightline.lsp.kinds import symbol_kind
from sightline.lsp.positions import to_client

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer
    from sightline.lsp.session import Cancelled, Session
    from sightline.search.hierarchy import Question
    from sightline.types import Calls, CallSite, SymbolHit
    from sightline.workspace import Workspace

_METHODS = (types.TEXT_DOCUMENT_REFERENCES, types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)


def register(server: SightlineServer) -> None:
    """Handle call hierarchy and references; if registered before `initialize`, its answer announces them."""
    server.feature(types.TEXT_DOCUMENT_REFERENCES)(references)
    server.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)(prepare)
    server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)(incoming)
    server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)(outgoing)


async def announce(ls: SightlineServer) -> None:
    """Offer both for the languages in the settings, if the client supports dynamic registration."""
    folders = (await ls.session.workspace()).folders
    languages = sorted({name for folder in folders for name in folder.settings.navigation.languages})
    if not languages or not ls.session.client.registers_navigation or _registered(ls):
        return
    register(ls)
    filters = [{"scheme": "file"}] if "*" in languages else [{"language": name} for name in languages]
    selector = {"documentSelector": filters}
    registrations = [types.Registration(f"sightline-{method}", method, selector) for method in _METHODS]
    await register_capabilities(ls, registrations)


def _registered(ls: SightlineServer) -> bool:
    return types.TEXT_DOCUMENT_REFERENCES in ls.protocol.fm.features


def wanted(settings: Mapping[str, object]) -> bool:
    """Whether the settings in `initialize` name a language."""
    chosen = settings.get("navigation")
    return isinstance(chosen, Mapping) and bool(chosen.get("languages"))


def _serves(ls: SightlineServer, uri: str) -> bool:
    """Whether the settings name the language of a document."""
    path = ls.session.roots.locate(uri)
    chosen = ls.session.settings(path).navigation.languages
    return path is not None and ("*" in chosen or ls.session.language(path) in chosen)


async def prepare(
    ls: SightlineServer, params: types.CallHierarchyPrepareParams
) -> list[types.CallHierarchyItem] | None:
    """The definition under the cursor."""
    if not _serves(ls, params.text_document.uri):
        return None
    found = await _ask(ls, params.text_document.uri, params.position, "definition")
    return None if found is None else [_item(ls.session, found, _lines(ls.session))]


async def incoming(
    ls: SightlineServer, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    """The callers of a definition."""
    return [types.CallHierarchyIncomingCall(*call) for call in await _calls(ls, params.item, "callers")]


async def outgoing(
    ls: SightlineServer, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    """The callees of a definition."""
    return [types.CallHierarchyOutgoingCall(*call) for call in await _calls(ls, params.item, "callees")]


async def _calls(
    ls: SightlineServer, item: types.CallHierarchyItem, question: Question
) -> list[tuple[types.CallHierarchyItem, list[types.Range]]]:
    """The callers or callees of a definition, each with the ranges of its calls."""
    session, lines = ls.session, _lines(ls.session)
    found: list[Calls] = await _ask(ls, item.uri, item.selection_range.start, question) or []
    return [
        (_item(session, each.symbol, lines), [_range(session, each, site, lines) for site in each.sites])
        for each in found
    ]


async def references(ls: SightlineServer, params: types.ReferenceParams) -> list[types.Location] | None:
    """The calls of the definition under the cursor."""
    uri, session = params.text_document.uri, ls.session
    if not _serves(ls, uri):
        return None
    lines = _lines(session)
    found: list[Calls] = await _ask(ls, uri, params.position, "callers") or []
    places = [
        types.Location(session.roots.uri(calls.symbol.folder, site.path), _range(session, calls, site, lines))
        for calls in found
        for site in calls.sites
    ]
    if params.context.include_declaration:
        own = await _ask(ls, uri, params.position, "definition")
        if own is not None:
            item = _item(session, own, lines)
            places.insert(0, types.Location(item.uri, item.selection_range))
    return places


async def _ask(ls: SightlineServer, uri: str, position: types.Position, question: Question) -> Any:
    def work(workspace: Workspace, at: Cursor, _: Cancelled) -> Any:
        return workspace.hierarchy(question, at.path, at.line, at.column, at.text)

    try:
        return await ask_at(ls.session, uri, position.line, position.character, work)
    except InvalidRequest:
        # Clients also ask about files outside the workspace; these are not indexed.
        return None


def _lines(session: Session) -> Lines:
    return Lines(session.documents.overlays())


def _item(session: Session, hit: SymbolHit, lines: Lines) -> types.CallHierarchyItem:
    symbol = hit.symbol
    text = lines.line(Path(hit.folder), Path(hit.folder, hit.path), symbol.name_line)
    selection = name_range(symbol, text, session.encoding)
    start = min(types.Position(symbol.start_line, 0), selection.start)
    end = max(types.Position(symbol.end_line + 1, 0), selection.end)
    return types.CallHierarchyItem(
        name=symbol.name,
        kind=symbol_kind(symbol.kind),
        uri=session.roots.uri(hit.folder, hit.path),
        range=types.Range(start, end),
        selection_range=selection,
        detail=symbol.container or hit.path,
    )


def _range(session: Session, calls: Calls, site: CallSite, lines: Lines) -> types.Range:
    root = Path(calls.symbol.folder)
    text = lines.line(root, root / site.path, site.line)
    start, end = (to_client(text, at, session.encoding) for at in (site.start, site.end))
    return types.Range(types.Position(site.line, start), types.Position(site.line, end))
