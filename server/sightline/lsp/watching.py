"""Detects files that change outside the editor: by the client's watcher, or else by polling."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

from sightline.lsp.client import register_capabilities

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer

# How often to check whether polling has been switched on again.
_OFF_SECONDS = 60.0


async def watch_files(server: SightlineServer) -> bool:
    """Ask the client to watch every file; False when it cannot."""
    if not server.session.client.watches_files:
        return False
    registration = types.Registration(
        id="sightline-files",
        method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        register_options=types.DidChangeWatchedFilesRegistrationOptions(
            watchers=[types.FileSystemWatcher(glob_pattern="**/*")]
        ),
    )
    return await register_capabilities(server, [registration])


async def poll(server: SightlineServer) -> None:
    """Compare the disk with the index at the interval in the settings, until the end."""
    workspace = await server.session.workspace()
    while True:
        seconds = server.session.settings().indexing.poll_seconds
        await asyncio.sleep(seconds or _OFF_SECONDS)
        if seconds:
            workspace.reconcile()
