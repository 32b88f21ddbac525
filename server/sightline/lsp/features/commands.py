"""The commands of workspace/executeCommand."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from sightline.errors import InvalidRequest
from sightline.lsp import answers, results_page
from sightline.lsp.features.search import index_status, related, semantic_search
from sightline.lsp.wire import WireHit, WireHits, WireSearchResult, WireStatus
from sightline.requests.fields import Fields
from sightline.requests.uris import from_path
from sightline.visible import unlinked

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

REINDEX = "sightline.reindex"
CLEAR = "sightline.clear"
SEARCH = "sightline.search"
FIND_RELATED = "sightline.findRelated"
SHOW_STATUS = "sightline.showStatus"
# A command may omit the limit, and a results file has room for many.
_RESULTS = 30
_RESULTS_IN_MESSAGE = 5


def register(server: SightlineServer) -> None:
    """Handle the commands."""
    server.command(SEARCH)(search)
    server.command(REINDEX)(reindex)
    server.command(CLEAR)(clear)
    server.command(FIND_RELATED)(find_related)
    server.command(SHOW_STATUS)(show_status)


async def reindex(ls: SightlineServer, *arguments: object) -> None:
    """Read all files of one folder or of all folders again; also resumes after a cancelled progress."""
    root = _folder(ls, arguments)
    await ls.session.ask(lambda workspace, _: workspace.reindex(root))


async def clear(ls: SightlineServer, *arguments: object) -> None:
    """Delete the index of one folder or of all folders."""
    root = _folder(ls, arguments)
    await ls.session.ask(lambda workspace, _: workspace.clear(root))


async def search(ls: SightlineServer, *arguments: object) -> WireSearchResult:
    """Search, show the results in the way the client supports, and return them.

    The arguments are the words of a query, or the params of workspace/semanticSearch.
    """
    params = _search_params(arguments)
    result = await semantic_search(ls, params)
    await _show(ls, str(params["query"]), result["results"], result.get("note", ""))
    return result


async def find_related(ls: SightlineServer, *arguments: object) -> WireHits:
    """The same as textDocument/related, for the position in a code action or lens; shown like a search."""
    place = Fields.of(arguments[0] if arguments else None, "arguments[0]")
    found = await related(ls, {**place.values, "textDocument": {"uri": place.text("uri")}})
    await _show(ls, "related code", found["results"])
    return found


async def _show(ls: SightlineServer, title: str, hits: Sequence[WireHit], note: str = "") -> None:
    """Show hits in a file, or the first few in a message if the client cannot show documents."""
    if not ls.session.client.shows_documents:
        message = results_page.summary(hits, _RESULTS_IN_MESSAGE)
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))
        return
    path = await asyncio.to_thread(results_page.write, results_page.page(title, hits, note))
    # Not awaited: a client may answer only after it has received the result of the command.
    ls.window_show_document(types.ShowDocumentParams(from_path(str(path)), take_focus=True))


async def show_status(ls: SightlineServer, *_: object) -> WireStatus:
    """Show the state in one line and return all of it."""
    status = await index_status(ls, None)
    line = unlinked(answers.status_line(status))
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, line))
    return status


def _search_params(arguments: tuple[object, ...]) -> Mapping[str, object]:
    """The params of a search; separate words are joined because editors' command lines split them."""
    if len(arguments) == 1 and isinstance(arguments[0], Mapping):
        params = arguments[0]
    elif arguments and all(isinstance(word, str) for word in arguments):
        params = {"query": " ".join(map(str, arguments))}
    else:
        raise InvalidRequest(
            f"{SEARCH} expects the words of a query, or the params of workspace/semanticSearch"
        )
    return {"limit": _RESULTS, **params}


def _folder(ls: SightlineServer, arguments: tuple[object, ...]) -> Path | None:
    """The folder a command names, by its URI; None means all."""
    return None if not arguments or arguments[0] is None else ls.session.folder(arguments[0])
