"""Hover: shows the symbol under the cursor and links to related code."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from sightline.errors import InvalidRequest
from sightline.lsp.cursor import Cursor, ask_at
from sightline.lsp.features.search import related_hits
from sightline.requests.read_requests import DocumentPosition
from sightline.visible import quoted, visible

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer
    from sightline.lsp.session import Cancelled
    from sightline.requests.uris import Roots
    from sightline.types import Hit, SymbolInfo
    from sightline.workspace import Workspace

# A late hover is worse than one without the related code.
_RELATED_TIMEOUT_SECONDS = 0.5
_TICKS = re.compile("`+")
_MOST_RELATED = 5


def register(server: SightlineServer) -> None:
    """Handle hover."""
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)


async def hover(ls: SightlineServer, params: types.HoverParams) -> types.Hover | None:
    """The symbol under the cursor and up to a few related places, or nothing."""
    position, uri = params.position, params.text_document.uri
    settings = ls.session.settings(ls.session.roots.locate(uri)).hover
    if not settings.enabled:
        return None
    place = DocumentPosition(
        uri, position.line, position.character, min(_MOST_RELATED, max(1, settings.related))
    )
    try:
        symbol = await _symbol(ls, place)
        hits = await _related(ls, place) if symbol is not None and settings.related else ()
    except InvalidRequest:
        # Clients also send hovers for virtual documents and files outside the workspace; these are not
        # indexed.
        return None
    return None if symbol is None else types.Hover(_content(ls, symbol, hits))


async def _symbol(ls: SightlineServer, place: DocumentPosition) -> SymbolInfo | None:
    def work(workspace: Workspace, at: Cursor, _: Cancelled) -> SymbolInfo | None:
        return workspace.describe(at.path, at.line, at.column, at.text)

    return await ask_at(ls.session, place.uri, place.line, place.character, work, fast=True)


async def _related(ls: SightlineServer, place: DocumentPosition) -> Sequence[Hit]:
    try:
        return await asyncio.wait_for(related_hits(ls, place, facts_only=True), _RELATED_TIMEOUT_SECONDS)
    except asyncio.TimeoutError:
        return ()


def _content(ls: SightlineServer, symbol: SymbolInfo, hits: Sequence[Hit]) -> types.MarkupContent:
    if ls.session.client.reads_markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, markdown(symbol, hits, ls.session.roots))
    return types.MarkupContent(types.MarkupKind.PlainText, plain(symbol, hits))


def markdown(symbol: SymbolInfo, hits: Sequence[Hit], roots: Roots) -> str:
    """The hover for clients that render Markdown; `#L12` opens the line in VS Code and Neovim."""
    parts = [f"**{symbol.kind}** {_code(symbol.qualified)}"]
    if symbol.signature:
        parts.append(_fenced(symbol.signature))
    if hits:
        parts.append("Related:\n" + "\n".join(_link(hit, roots) for hit in hits))
    return "\n\n".join(parts)


def plain(symbol: SymbolInfo, hits: Sequence[Hit]) -> str:
    """The hover for clients that show plain text."""
    lines = [f"{symbol.kind} {visible(symbol.qualified)}"]
    if symbol.signature:
        lines.append(visible(symbol.signature, keep="\n\t"))
    lines.extend(f"{_why(hit)}{quoted(hit.path)}:{hit.line + 1}" for hit in hits)
    return "\n".join(lines)


def _link(hit: Hit, roots: Roots) -> str:
    name = hit.symbol.name if hit.symbol is not None else hit.path.rsplit("/", 1)[-1]
    target = f"{roots.uri(hit.folder, hit.path)}#L{hit.line + 1}"
    return f"- {_why(hit)}[{_code(name)}]({target}) {_code(f'{hit.path}:{hit.line + 1}')}"


def _why(hit: Hit) -> str:
    return f"{hit.reason}: " if hit.reason else ""


def _code(text: str) -> str:
    """A name as a code span: escaped underscores would be visible where Markdown is not rendered."""
    text = visible(text) or " "
    ticks = _longer_than_inside("`", text)
    # A tick at an edge would join the fence; Markdown removes one space at each edge.
    edge = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{edge}{text}{edge}{ticks}"


def _fenced(text: str) -> str:
    """A code block whose fence cannot occur in its text."""
    text = visible(text, keep="\n\t")
    fence = _longer_than_inside("```", text)
    return f"{fence}\n{text}\n{fence}"


def _longer_than_inside(ticks: str, text: str) -> str:
    """A run of ticks longer than any in the text."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    return "`" * max(len(ticks), longest + 1)
