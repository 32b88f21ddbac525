"""The workspace of an agent's session: open during requests, and for a moment after."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from sightline.errors import SightlineError
from sightline.workspace import Workspace

log = logging.getLogger(__name__)

# An editor that starts meanwhile should become the writer: it is notified of every save.
_IDLE_SECONDS = 10.0
# The first indexing may take longer than a client waits; after this time, answer with what is indexed.
_INDEX_SECONDS = 20.0
_CLOSE_SECONDS = 5.0

_Answer = TypeVar("_Answer")


class McpSession:
    """Opens the folders at the first request and closes them after a period without requests."""

    def __init__(self, quiet_seconds: float = _IDLE_SECONDS) -> None:
        self._quiet_seconds = quiet_seconds
        self._lock = threading.Lock()
        self._workspace: Workspace | None = None
        self._roots: Sequence[Path] = ()
        self._running = 0
        self._timer: threading.Timer | None = None

    def ask(self, roots: Sequence[Path], work: Callable[[Workspace], _Answer]) -> _Answer:
        """Run work on a workspace of the folders, after their files are compared with the index."""
        workspace = self._open(roots)
        try:
            workspace.reconcile()
            workspace.wait_idle(_INDEX_SECONDS)
            return work(workspace)
        finally:
            self._release()

    def prepare(self, roots: Sequence[Path]) -> None:
        """Start to index before the first request."""
        self._open(roots)
        self._release()

    def close(self) -> None:
        """Close the index at the end of the session."""
        with self._lock:
            self._close()

    def _open(self, roots: Sequence[Path]) -> Workspace:
        with self._lock:
            if self._workspace is not None and list(roots) != list(self._roots) and not self._running:
                self._close()
            if self._workspace is None:
                self._workspace, self._roots = _opened(roots), tuple(roots)
            self._running += 1
            self._stop_timer()
            return self._workspace

    def _release(self) -> None:
        with self._lock:
            self._running -= 1
            self._start_timer()

    def _start_timer(self) -> None:
        self._stop_timer()
        if self._workspace is not None and not self._running:
            self._timer = threading.Timer(self._quiet_seconds, self._close_if_idle)
            self._timer.daemon = True
            self._timer.start()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close_if_idle(self) -> None:
        """Close, unless a request is running or the folders are still being indexed."""
        with self._lock:
            if self._running or self._workspace is None:
                return
            if self._workspace.wait_idle(0):
                self._close()
            else:
                self._start_timer()

    def _close(self) -> None:
        self._stop_timer()
        workspace, self._workspace = self._workspace, None
        if workspace is not None:
            workspace.close(_CLOSE_SECONDS)


def _opened(roots: Sequence[Path]) -> Workspace:
    workspace = Workspace(long_lived=True)
    for root in roots:
        try:
            workspace.add_folder(root)
        except SightlineError as error:
            # The other folders still answer; a missing one may come back.
            log.warning("%s", error)
    return workspace
