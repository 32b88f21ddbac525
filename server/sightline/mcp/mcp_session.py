"""The workspace behind a conversation with an agent: open while it is asked, and for a moment after."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from sightline.errors import SightlineError
from sightline.workspace import Workspace

log = logging.getLogger(__name__)

# An editor that starts meanwhile should keep the index itself: it is the one that hears of every save.
_QUIET_SECONDS = 10.0
# A first index may take longer than a client waits for an answer; what is there by then answers.
_FRESH_SECONDS = 20.0
_CLOSE_SECONDS = 5.0

_Answer = TypeVar("_Answer")


class Session:
    """Opens the folders at the first question and closes them when none came for a while."""

    def __init__(self, quiet_seconds: float = _QUIET_SECONDS) -> None:
        self._quiet_seconds = quiet_seconds
        self._lock = threading.Lock()
        self._workspace: Workspace | None = None
        self._roots: Sequence[Path] = ()
        self._asking = 0
        self._timer: threading.Timer | None = None

    def ask(self, roots: Sequence[Path], work: Callable[[Workspace], _Answer]) -> _Answer:
        """Run work on a workspace of the folders, whose files are compared with the index first."""
        workspace = self._open(roots)
        try:
            workspace.reconcile()
            workspace.wait_idle(_FRESH_SECONDS)
            return work(workspace)
        finally:
            self._release()

    def prepare(self, roots: Sequence[Path]) -> None:
        """Begin to index before the first question."""
        self._open(roots)
        self._release()

    def close(self) -> None:
        """Let go of the index at the end of the conversation."""
        with self._lock:
            self._close()

    def _open(self, roots: Sequence[Path]) -> Workspace:
        with self._lock:
            if self._workspace is not None and list(roots) != list(self._roots) and not self._asking:
                self._close()
            if self._workspace is None:
                self._workspace, self._roots = _opened(roots), tuple(roots)
            self._asking += 1
            self._stop_timer()
            return self._workspace

    def _release(self) -> None:
        with self._lock:
            self._asking -= 1
            self._start_timer()

    def _start_timer(self) -> None:
        self._stop_timer()
        if self._workspace is not None and not self._asking:
            self._timer = threading.Timer(self._quiet_seconds, self._rest)
            self._timer.daemon = True
            self._timer.start()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rest(self) -> None:
        """Close, unless somebody asks again or the folders are still being indexed."""
        with self._lock:
            if self._asking or self._workspace is None:
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
    workspace = Workspace()
    for root in roots:
        try:
            workspace.add_folder(root)
        except SightlineError as error:
            # The others answer; one that is gone may come back.
            log.warning("%s", error)
    return workspace
