"""The state of one session: the client, its folders and documents, and the workspace."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types

from sightline.errors import InvalidRequest, SightlineError
from sightline.indexing.events import Event, IndexProgress, Message
from sightline.languages.table import detect
from sightline.lsp import answers, configuration
from sightline.lsp.client import Client
from sightline.lsp.event_loop import Throttle, call_on_loop
from sightline.lsp.open_documents import Documents
from sightline.lsp.parent import watch_parent
from sightline.lsp.positions import Encoding
from sightline.lsp.wire import STATUS_CHANGED
from sightline.lsp.work_progress import ProgressBars
from sightline.names import PRODUCT
from sightline.requests.uris import Roots, from_path
from sightline.settings.tree import WORKSPACE_FILE, Settings, load
from sightline.visible import unlinked

if TYPE_CHECKING:
    from sightline.lsp.server import SightlineServer
    from sightline.workspace import Workspace

T = TypeVar("T")
Cancelled = Callable[[], bool]

_STATUS_SECONDS = 0.25
_MESSAGES = {"error": types.MessageType.Error, "warning": types.MessageType.Warning}
# Enough that a slow search does not block a quick one; more would only compete for the same cores.
_SEARCHES = 4
_FAST = 2

logger = logging.getLogger(__name__)


class Session:
    """The state the features share; methods run on the event loop unless they say otherwise."""

    def __init__(self, server: SightlineServer) -> None:
        """Start without a client."""
        self.documents = Documents()
        self.roots = Roots()
        self.client = Client()
        self.encoding: Encoding = "utf-16"
        self.editor: configuration.Tree = {}
        self.bars = ProgressBars(server, self._cancel_indexing)
        self._server = server
        self._initial: configuration.Tree = {}
        self._settings = Settings()
        self._searches = ThreadPoolExecutor(_SEARCHES, thread_name_prefix="sightline-search")
        # Status, outlines and hovers use data that is already available; they do not queue behind searches.
        self._fast_pool = ThreadPoolExecutor(_FAST, thread_name_prefix="sightline-fast")
        # One worker, so that changes of folders and settings keep the client's order.
        self._serial_pool = ThreadPoolExecutor(1, thread_name_prefix="sightline-serial")
        self._sending_status = asyncio.Lock()
        self._opening: asyncio.Task[Workspace] | None = None
        self._workspace: Workspace | None = None
        self._reported: set[str] = set()
        self._closing: threading.Thread | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, params: types.InitializeParams) -> None:
        """Read the params of initialize; opens nothing until it is answered."""
        self.client = Client.of(params.capabilities)
        self._initial = configuration.section(params.initialization_options)
        for uri in _folder_uris(params):
            self._add_root(uri)
        if params.process_id is not None:
            watch_parent(params.process_id, self._server.end)

    def open(self) -> asyncio.Task[Workspace]:
        """Start opening the workspace, once."""
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
            self._opening.add_done_callback(self._opened)
        return self._opening

    async def workspace(self) -> Workspace:
        """Wait until the workspace is open and return it."""
        return await asyncio.shield(self.open())

    def background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine until it finishes or the session ends; errors are logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    async def ask(self, work: Callable[[Workspace, Cancelled], T], fast: bool = False) -> T:
        """Run user-facing work on a thread; a cancelled request stops it at its next stage."""
        workspace = await self.workspace()
        stop = threading.Event()
        pool = self._fast_pool if fast else self._searches
        running = asyncio.get_running_loop().run_in_executor(pool, work, workspace, stop.is_set)
        try:
            return await running
        except asyncio.CancelledError:
            stop.set()
            raise

    def changed(self, uris: Sequence[str]) -> None:
        """Handle changes of files or folders on disk."""
        paths = [path for uri in uris if (path := self.roots.locate(uri)) is not None]
        if not paths or self._workspace is None:
            return
        if any(path.name == WORKSPACE_FILE for path in paths):
            # Reading and checking new settings takes too long for the event loop.
            self.background(self._settings_changed(self._workspace, paths))
        else:
            self._workspace.changed(paths)

    def documents_changed(self) -> None:
        """Handle an opened or closed document."""
        if self._workspace is not None:
            self._workspace.opened(self.documents.overlays())

    def typing(self) -> None:
        """The user is typing: indexing yields."""
        if self._workspace is not None:
            self._workspace.typing()

    def folder(self, uri: object) -> Path:
        """The open folder with this URI; raises InvalidRequest if there is none."""
        root = self.roots.root(uri) if isinstance(uri, str) else None
        if root is None:
            raise InvalidRequest(f"{uri!r} is not an open folder; open: {self.roots.uris()}")
        return root

    def settings(self, path: Path | None = None) -> Settings:
        """The settings of the folder that contains a file, or the global ones."""
        folder = self._workspace.folder_of(path) if self._workspace is not None and path is not None else None
        return self._settings if folder is None else folder.settings

    def language(self, path: Path) -> str:
        """The language of a file by its name, according to the settings and the language table."""
        chosen = self.settings(path).indexing.languages.get(path.suffix)
        return chosen or detect(path.name, b"").id

    async def configure(self, pushed: object = None) -> None:
        """Apply new settings; pulls them from the client if it supports that."""
        workspace = await self.workspace()
        await self._apply_settings(pushed)
        for problem in await self._serially(workspace.configure, self.editor):
            self._notify("warning", problem)

    async def change_folders(self, added: Sequence[str], removed: Sequence[str]) -> None:
        """Handle folders added to or removed from the workspace."""
        workspace = await self.workspace()
        for uri in removed:
            if (root := self.roots.remove(uri)) is not None:
                await self._serially(workspace.remove_folder, root)
        for uri in added:
            if (root := self._add_root(uri)) is not None:
                await self._add_folder(workspace, root)

    def close(self, timeout: float) -> None:
        """Start closing the index in the background, once."""
        if self._closing is None and self._workspace is not None:
            self._closing = threading.Thread(target=self._workspace.close, args=(timeout,), daemon=True)
            self._closing.start()

    def wait_closed(self, timeout: float) -> None:
        """Wait until the index is closed, up to a timeout; called when the loop has ended."""
        for pool in (self._searches, self._fast_pool, self._serial_pool):
            pool.shutdown(wait=False, cancel_futures=True)
        if self._closing is not None:
            self._closing.join(timeout)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a background task failed", exc_info=error)

    def _opened(self, opening: asyncio.Task[Workspace]) -> None:
        if not opening.cancelled() and (error := opening.exception()) is not None:
            logger.error("the index could not be opened", exc_info=error)
            self._notify("error", f"the index could not be opened: {error}")

    async def _open(self) -> Workspace:
        await self._apply_settings(None)
        workspace = await self._serially(_new_workspace)
        loop = asyncio.get_running_loop()
        status = Throttle(loop, _STATUS_SECONDS, lambda: self.background(self._send_status(workspace)))
        # Events come from threads of the workspace; all messages to the client are sent on the loop.
        workspace.subscribe(lambda event: call_on_loop(loop, self._handle, event, status))
        self._workspace = workspace
        self.documents_changed()
        for root in self.roots:
            await self._add_folder(workspace, root)
        return workspace

    async def _settings_changed(self, workspace: Workspace, paths: Sequence[Path]) -> None:
        await self._serially(workspace.changed, paths)

    async def _add_folder(self, workspace: Workspace, root: Path) -> None:
        """Open one folder; a failure does not keep the others closed."""
        try:
            await self._serially(workspace.add_folder, root, self.editor)
        except SightlineError as error:
            self._notify("warning", str(error))

    async def _apply_settings(self, pushed: object) -> None:
        received: configuration.Tree | None = configuration.section(pushed)
        if self.client.pulls_configuration:
            received = await configuration.pull(self._server)
        if received is not None:
            self.editor = configuration.merged(self._initial, received)
        self._settings, _ = await self._serially(load, None, self.editor)
        logging.getLogger("sightline").setLevel(self._settings.log.level.upper())

    def _serially(self, work: Callable[..., T], *values: object) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._serial_pool, work, *values)

    def _handle(self, event: Event, status: Throttle) -> None:
        if isinstance(event, Message):
            self._notify(event.level, event.text)
            return
        if isinstance(event, IndexProgress) and self.client.shows_progress:
            self.bars.report(event)
        # The end of the work on a folder is reported by a separate event.
        if not (isinstance(event, IndexProgress) and event.finished):
            status.poke()

    async def _send_status(self, workspace: Workspace) -> None:
        # One at a time, or an older status could arrive after a newer one.
        async with self._sending_status:
            folders = await asyncio.get_running_loop().run_in_executor(self._fast_pool, workspace.status)
            self._server.protocol.announce(STATUS_CHANGED, answers.status(folders, self.roots))

    def _add_root(self, uri: str) -> Path | None:
        """Add a folder; one that is not on disk is reported and skipped."""
        root = self.roots.add(uri)
        if root is None:
            self._notify("info", f"{uri} is not a folder on disk and is not indexed.")
        return root

    def _cancel_indexing(self, root: Path) -> None:
        if self._workspace is not None:
            self._workspace.cancel_indexing(root)

    def _notify(self, level: str, text: str) -> None:
        """Show a message the user can act on, once; write all others to the log."""
        kind, text = _MESSAGES.get(level), unlinked(text)
        if kind is None:
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
        elif text not in self._reported:
            self._reported.add(text)
            self._server.window_show_message(types.ShowMessageParams(kind, f"{PRODUCT}: {text}"))


def _new_workspace() -> Workspace:
    """Imported after initialize is answered: the index imports numpy and more."""
    from sightline.workspace import Workspace

    return Workspace(long_lived=True)


def _folder_uris(params: types.InitializeParams) -> list[str]:
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    if params.root_uri:
        return [params.root_uri]
    return [from_path(os.path.abspath(params.root_path))] if params.root_path else []
