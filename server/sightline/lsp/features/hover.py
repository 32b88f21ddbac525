"""Resting on a symbol shows what it is and where related code stands."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from sightline.errors import InvalidRequest
from sightline.lsp.features.search import related_hits
from sightline.lsp.places import column, document
from sightline.lsp.requests import Place

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer
    from sightline.lsp.session import Cancelled
    from sightline.lsp.uris import Roots
    from sightline.types import Hit, SymbolInfo
    from sightline.workspace import Workspace

# A hover that comes late is worse than one without its list.
_PATIENCE_SECONDS = 0.5


def register(server: SightlineServer) -> None:
    """Handle hover."""
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)


async def hover(ls: SightlineServer, params: types.HoverParams) -> types.Hover | None:
    """The symbol under the cursor and up to a few related places, or nothing."""
    position, uri = params.position, params.text_document.uri
    settings = ls.session.settings(ls.session.roots.locate(uri)).hover
    if not settings.enabled:
        return None
    place = Place(uri, position.line, position.character, max(1, settings.related))
    try:
        symbol = await _symbol(ls, place)
        hits = await _related(ls, place) if symbol is not None and settings.related else ()
    except InvalidRequest:
        # Virtual documents and files outside the workspace are hovered too; they are simply not indexed.
        return None
    return None if symbol is None else types.Hover(_content(ls, symbol, hits))


async def _symbol(ls: SightlineServer, place: Place) -> SymbolInfo | None:
    asked, encoding = document(ls.session, place.uri), ls.session.encoding

    def work(workspace: Workspace, _: Cancelled) -> SymbolInfo | None:
        at = column(asked.lines(), place.line, place.character, encoding)
        return None if at is None else workspace.describe(asked.path, place.line, at, asked.text)

    return await ls.session.ask(work, glance=True)


async def _related(ls: SightlineServer, place: Place) -> Sequence[Hit]:
    try:
        return await asyncio.wait_for(related_hits(ls, place), _PATIENCE_SECONDS)
    except asyncio.TimeoutError:
        return ()


def _content(ls: SightlineServer, symbol: SymbolInfo, hits: Sequence[Hit]) -> types.MarkupContent:
    if ls.session.client.reads_markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, markdown(symbol, hits, ls.session.roots))
    return types.MarkupContent(types.MarkupKind.PlainText, plain(symbol, hits))


def markdown(symbol: SymbolInfo, hits: Sequence[Hit], roots: Roots) -> str:
    """The hover for clients that render Markdown; `#L12` opens the line in VS Code and Neovim."""
    parts = [f"**{symbol.kind}** {_code(_qualified(symbol))}"]
    if symbol.signature:
        parts.append(_fenced(symbol.signature))
    if hits:
        parts.append("Related:\n" + "\n".join(_link(hit, roots) for hit in hits))
    return "\n\n".join(parts)


def plain(symbol: SymbolInfo, hits: Sequence[Hit]) -> str:
    """The hover for clients that show text as it is."""
    lines = [f"{symbol.kind} {_qualified(symbol)}"]
    if symbol.signature:
        lines.append(symbol.signature)
    lines.extend(f"{_why(hit)}{hit.path}:{hit.start_line + 1}" for hit in hits)
    return "\n".join(lines)


def _link(hit: Hit, roots: Roots) -> str:
    name = hit.symbol.name if hit.symbol is not None else hit.path.rsplit("/", 1)[-1]
    target = f"{roots.uri(hit.folder, hit.path)}#L{hit.start_line + 1}"
    return f"- {_why(hit)}[{_code(name)}]({target}) {_code(f'{hit.path}:{hit.start_line + 1}')}"


def _why(hit: Hit) -> str:
    return f"{hit.reason}: " if hit.reason else ""


def _qualified(symbol: SymbolInfo) -> str:
    return f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name


def _code(text: str) -> str:
    """A name as it is: escaping its underscores would be shown where Markdown is not rendered."""
    ticks = "``" if "`" in text else "`"
    return f"{ticks}{text}{ticks}".replace("\n", " ")


def _fenced(text: str) -> str:
    """A code block whose fence is longer than any run of ticks inside."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"
