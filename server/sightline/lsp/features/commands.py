"""The commands of workspace/executeCommand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from sightline.errors import InvalidRequest
from sightline.lsp import answers
from sightline.lsp.features.search import index_status, related
from sightline.lsp.fields import Fields
from sightline.lsp.wire import WireHits, WireStatus
from sightline.visible import unlinked

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

REINDEX = "sightline.reindex"
CLEAR = "sightline.clear"
FIND_RELATED = "sightline.findRelated"
SHOW_STATUS = "sightline.showStatus"


def register(server: SightlineServer) -> None:
    """Handle the four commands."""
    server.command(REINDEX)(reindex)
    server.command(CLEAR)(clear)
    server.command(FIND_RELATED)(find_related)
    server.command(SHOW_STATUS)(show_status)


async def reindex(ls: SightlineServer, *arguments: object) -> None:
    """Read every file again, of one folder or of all; also goes on after a cancelled progress."""
    root = _folder(ls, arguments)
    await ls.session.ask(lambda workspace, _: workspace.reindex(root))


async def clear(ls: SightlineServer, *arguments: object) -> None:
    """Throw the index away, of one folder or of all."""
    root = _folder(ls, arguments)
    await ls.session.ask(lambda workspace, _: workspace.clear(root))


async def find_related(ls: SightlineServer, *arguments: object) -> WireHits:
    """The same as textDocument/related, for the place a code action or lens carries."""
    place = Fields.of(arguments[0] if arguments else None, "arguments[0]")
    return await related(ls, {**place.values, "textDocument": {"uri": place.text("uri")}})


async def show_status(ls: SightlineServer, *_: object) -> WireStatus:
    """Show the state in one line and give all of it back."""
    status = await index_status(ls, None)
    line = unlinked(answers.status_line(status))
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, line))
    return status


def _folder(ls: SightlineServer, arguments: tuple[object, ...]) -> Path | None:
    """The folder a command names, by its address; none means all."""
    if not arguments or arguments[0] is None:
        return None
    root = ls.session.roots.root(arguments[0]) if isinstance(arguments[0], str) else None
    if root is None:
        raise InvalidRequest(f"{arguments[0]!r} is not an open folder; open are {ls.session.roots.uris()}")
    return root
