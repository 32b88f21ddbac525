"""Definitions by name across the workspace, and the outline of one document."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from sightline.errors import InvalidRequest
from sightline.lsp.cursor import Document, document, read_text
from sightline.lsp.document_outline import flat, name_range, nested
from sightline.lsp.kinds import symbol_kind
from sightline.lsp.positions import LineTable, to_client
from sightline.requests.fields import Fields

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer
    from sightline.lsp.session import Cancelled, Session
    from sightline.parsed_file import Symbol
    from sightline.types import SymbolHit
    from sightline.workspace import Workspace

_MOST_SYMBOLS = 100
_LONGEST_QUERY = 1000
_LAST = 2**31 - 1
# Files of which it is remembered whether their columns need conversion.
_MOST_REMEMBERED = 1 << 13


def register(server: SightlineServer) -> None:
    """Handle workspace symbols, their resolve, and document symbols."""
    server.feature(types.WORKSPACE_SYMBOL)(workspace_symbols)
    server.feature(types.WORKSPACE_SYMBOL_RESOLVE)(resolve)
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbols)


async def workspace_symbols(
    ls: SightlineServer, params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    """The definitions whose name matches, best first."""
    query, session = params.query[:_LONGEST_QUERY], ls.session
    lines = Lines(session.documents.overlays())

    def work(workspace: Workspace, cancelled: Cancelled) -> list[types.WorkspaceSymbol]:
        found = workspace.symbols(query, _MOST_SYMBOLS, cancelled)
        return [_workspace_symbol(session, hit, lines) for hit in found]

    return await session.ask(work)


async def resolve(ls: SightlineServer, symbol: types.WorkspaceSymbol) -> types.WorkspaceSymbol:
    """The symbol with its exact range in the client's units."""
    if not isinstance(symbol.data, Mapping) or not isinstance(symbol.location, types.Location):
        return symbol
    data = Fields.of(symbol.data, "data")
    line, start, end = (data.integer(name, 0, _LAST) for name in ("line", "start", "end"))
    asked, encoding = document(ls.session, symbol.location.uri), ls.session.encoding
    text = await ls.session.ask(lambda _, __: asked.lines().line(line), fast=True)
    symbol.location.range = types.Range(
        types.Position(line, to_client(text, start, encoding)),
        types.Position(line, to_client(text, end, encoding)),
    )
    return symbol


async def document_symbols(
    ls: SightlineServer, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """The outline of a document, nested if the client supports it."""
    uri, session = params.text_document.uri, ls.session
    try:
        symbols, lines = await definitions(ls, uri)
    except InvalidRequest:
        # Editors ask for every document they open; we have no outline for one outside the workspace.
        return []
    outline = nested(symbols, lines, session.encoding)
    return outline if session.client.nests_symbols else flat(outline, uri)


async def definitions(ls: SightlineServer, uri: str) -> tuple[list[Symbol], LineTable]:
    """The definitions of a document as the client sees it, and its lines."""
    asked = document(ls.session, uri)

    def work(workspace: Workspace, _: Cancelled) -> tuple[list[Symbol], LineTable]:
        return workspace.document_symbols(asked.path, asked.text), asked.lines()

    return await ls.session.ask(work, fast=True)


class Lines:
    """Lines of many files; reads each file once."""

    def __init__(self, overlays: Mapping[Path, str]) -> None:
        """Read nothing yet."""
        self._overlays = overlays
        self._tables: dict[Path, LineTable] = {}

    def line(self, root: Path, path: Path, number: int) -> str:
        """One line of a file."""
        if path not in self._tables:
            self._tables[path] = Document(root, path, self._overlays.get(path)).lines()
        return self._tables[path].line(number)

    def line_to_convert(self, root: Path, path: Path, number: int) -> str | None:
        """One line of a file, or None if every character of the file is one unit in any encoding."""
        if path not in self._overlays and _known_as_ascii(root, path):
            return None
        return self.line(root, path, number)


def _known_as_ascii(root: Path, path: Path) -> bool:
    """Whether a file on disk has only ASCII characters."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return False
    return _is_ascii(root, path, found.st_mtime_ns, found.st_size)


# A picker shows the symbols of the same files again and again; the time and the size tell versions apart.
@lru_cache(maxsize=_MOST_REMEMBERED)
def _is_ascii(root: Path, path: Path, _mtime_ns: int, _size: int) -> bool:
    return read_text(root, path.relative_to(root)).isascii()


def _workspace_symbol(session: Session, hit: SymbolHit, lines: Lines) -> types.WorkspaceSymbol:
    symbol = hit.symbol
    # A client that resolves the chosen symbol gets its exact column then, so the other files are not read.
    resolves = session.client.resolves_symbols
    root = Path(hit.folder)
    line = None if resolves else lines.line_to_convert(root, root / hit.path, symbol.name_line)
    start = symbol.name_column
    return types.WorkspaceSymbol(
        name=symbol.name,
        kind=symbol_kind(symbol.kind),
        location=types.Location(
            session.roots.uri(hit.folder, hit.path), name_range(symbol, line, session.encoding)
        ),
        container_name=symbol.container or None,
        data={"line": symbol.name_line, "start": start, "end": start + len(symbol.name)},
    )
