"""Initialization, settings, folders and shutdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lsprotocol import types

from sightline.lsp import configuration
from sightline.lsp.client import register_capabilities
from sightline.lsp.configuration import SECTION
from sightline.lsp.features import navigation
from sightline.lsp.positions import Encoding
from sightline.lsp.watching import poll, watch_files

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

# How long a client waits at most for the index to close.
CLOSE_SECONDS = 2.0


def register(server: SightlineServer) -> None:
    """Handle initialize, initialized, shutdown, settings and folders."""
    server.feature(types.INITIALIZE)(_initialize)
    server.feature(types.INITIALIZED)(_initialized)
    server.feature(types.SHUTDOWN)(_shutdown)
    server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_configuration)
    server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_folders)
    server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)(_cancel)


def _initialize(ls: SightlineServer, params: types.InitializeParams) -> None:
    ls.session.encoding = cast(Encoding, str(_value(ls.workspace.position_encoding)))
    ls.session.begin(params)
    if navigation.wanted(configuration.section(params.initialization_options)):
        navigation.register(ls)


def _initialized(ls: SightlineServer, _: types.InitializedParams) -> None:
    ls.session.open()
    ls.session.background(_register_with_client(ls))


async def _register_with_client(ls: SightlineServer) -> None:
    """Register for settings and file changes; poll if the client does not watch files."""
    await _register_configuration(ls)
    ls.session.background(navigation.announce(ls))
    if not await watch_files(ls):
        await poll(ls)


def _shutdown(ls: SightlineServer, _: object) -> None:
    ls.session.close(CLOSE_SECONDS)


async def _configuration(ls: SightlineServer, params: types.DidChangeConfigurationParams) -> None:
    await ls.session.configure(params.settings)
    await navigation.announce(ls)


async def _folders(ls: SightlineServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    event = params.event
    await ls.session.change_folders(
        [folder.uri for folder in event.added], [folder.uri for folder in event.removed]
    )


def _cancel(ls: SightlineServer, params: types.WorkDoneProgressCancelParams) -> None:
    ls.session.bars.cancelled(params.token)


async def _register_configuration(ls: SightlineServer) -> None:
    if not ls.session.client.registers_configuration:
        return
    registration = types.Registration(
        id="sightline-configuration",
        method=types.WORKSPACE_DID_CHANGE_CONFIGURATION,
        register_options={"section": SECTION},
    )
    await register_capabilities(ls, [registration])


def _value(encoding: types.PositionEncodingKind | str | None) -> str:
    return encoding.value if isinstance(encoding, types.PositionEncodingKind) else str(encoding or "utf-16")
