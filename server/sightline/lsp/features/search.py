"""Sightline's custom requests: search by meaning, related code, the state of the index, and agent tools."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from sightline.lsp import answers
from sightline.lsp.cursor import Cursor, ask_at
from sightline.lsp.wire import (
    CALL_TOOL,
    INDEX_STATUS,
    RELATED,
    SEMANTIC_SEARCH,
    WireHits,
    WireSearchResult,
    WireStatus,
    WireToolAnswer,
)
from sightline.requests.fields import Fields
from sightline.requests.read_requests import DocumentPosition, SearchParams, Token, read_place, read_search

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer
    from sightline.lsp.session import Cancelled
    from sightline.types import Hit, SearchResult
    from sightline.workspace import Workspace


def register(server: SightlineServer) -> None:
    """Handle the custom requests."""
    server.feature(SEMANTIC_SEARCH)(semantic_search)
    server.feature(RELATED)(related)
    server.feature(INDEX_STATUS)(index_status)
    server.feature(CALL_TOOL)(call_tool)


async def semantic_search(ls: SightlineServer, params: object) -> WireSearchResult:
    """Answer workspace/semanticSearch."""
    asked = read_search(params, ls.session.settings().search.limit)
    folders = _folders(ls, asked)
    overlays = ls.session.documents.overlays()
    current = ls.session.roots.locate(asked.current) if asked.current is not None else None
    here = current.parent if current is not None else None
    loop = asyncio.get_running_loop()

    token = asked.partial

    def partial(hits: Sequence[Hit]) -> None:
        if token is not None:
            loop.call_soon_threadsafe(_send_partial, ls, token, tuple(hits))

    def work(workspace: Workspace, cancelled: Cancelled) -> SearchResult:
        return workspace.search(
            asked.request, folders, overlays, cancelled, partial if token is not None else None, here=here
        )

    begin = types.WorkDoneProgressBegin(title="Searching", cancellable=True)
    _work_done(ls, asked.work_done, begin)
    try:
        return answers.search_result(await ls.session.ask(work), ls.session.roots, ls.session.encoding)
    finally:
        _work_done(ls, asked.work_done, types.WorkDoneProgressEnd())


async def related(ls: SightlineServer, params: object) -> WireHits:
    """Answer textDocument/related."""
    found = await related_hits(ls, read_place(params))
    return {"results": answers.hits(found, ls.session.roots, ls.session.encoding)}


async def related_hits(
    ls: SightlineServer, place: DocumentPosition, *, facts_only: bool = False
) -> list[Hit]:
    """The code related to a place, as the workspace finds it."""

    def work(workspace: Workspace, at: Cursor, cancelled: Cancelled) -> list[Hit]:
        return workspace.related(
            at.path, at.line, at.column, place.limit, at.text, cancelled, facts_only=facts_only
        )

    return await ask_at(ls.session, place.uri, place.line, place.character, work) or []


async def index_status(ls: SightlineServer, _: object) -> WireStatus:
    """Answer workspace/indexStatus."""
    folders = await ls.session.ask(lambda workspace, _: workspace.status(), fast=True)
    return answers.status(folders, ls.session.roots)


async def call_tool(ls: SightlineServer, params: object) -> WireToolAnswer:
    """Answer workspace/sightlineTool; unsaved texts of the editor override those on disk."""
    fields = Fields.of(params)
    name, arguments = fields.text("name"), fields.values.get("arguments")
    overlays = ls.session.documents.overlays()

    def work(workspace: Workspace, cancelled: Cancelled) -> str:
        # Imported after initialize is answered, like everything that needs the index.
        from sightline.agents.tool_calls import ToolContext, call

        return call(name, arguments, ToolContext(workspace, overlays, cancelled))

    return {"text": await ls.session.ask(work)}


def _folders(ls: SightlineServer, asked: SearchParams) -> list[Path] | None:
    """The folders a search is restricted to; raises InvalidRequest for a folder that is not open."""
    return None if asked.folders is None else [ls.session.folder(uri) for uri in asked.folders]


def _send_partial(ls: SightlineServer, token: Token, hits: Sequence[Hit]) -> None:
    value: WireHits = {"results": answers.hits(hits, ls.session.roots, ls.session.encoding)}
    ls.progress(types.ProgressParams(token=token, value=value))


def _work_done(
    ls: SightlineServer, token: Token | None, value: types.WorkDoneProgressBegin | types.WorkDoneProgressEnd
) -> None:
    if token is not None:
        ls.progress(types.ProgressParams(token=token, value=value))
