"""Shows indexing in the client's progress bar: only for longer work, throttled, and cancellable."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from sightline.lsp.event_loop import Throttle
from sightline.names import PRODUCT
from sightline.visible import unlinked

if TYPE_CHECKING:
    from sightline.indexing.events import IndexProgress
    from sightline.lsp.server import SightlineServer

# A save finishes before a user could read a bar; only longer work gets one.
_SHOW_AFTER_SECONDS = 0.5
_REPORT_SECONDS = 0.25


@dataclass(slots=True)
class _Bar:
    """One folder's bar; `shown` is set after the client has accepted it."""

    root: Path
    latest: IndexProgress
    throttle: Throttle
    token: str = field(default_factory=lambda: f"sightline-{uuid.uuid4()}")
    shown: bool = False


class ProgressBars:
    """The bars of the folders being indexed; used on the event loop only."""

    def __init__(self, server: SightlineServer, cancel: Callable[[Path], None]) -> None:
        """Start without bars."""
        self._server = server
        self._cancel = cancel
        self._bars: dict[Path, _Bar] = {}

    def report(self, progress: IndexProgress) -> None:
        """Update the bar of one folder."""
        root = Path(progress.root)
        bar = self._bars.get(root)
        if progress.finished:
            self._finish(root)
        elif bar is None:
            self._bars[root] = self._new_bar(root, progress)
        else:
            bar.latest = progress
            if bar.shown:
                bar.throttle.poke()

    def cancelled(self, token: types.ProgressToken) -> None:
        """The user pressed cancel: stop that folder; the reindex command or a change resumes it."""
        for bar in list(self._bars.values()):
            if bar.token == token:
                self._cancel(bar.root)
                self._finish(bar.root)

    def _new_bar(self, root: Path, progress: IndexProgress) -> _Bar:
        loop = asyncio.get_running_loop()
        bar = _Bar(root, progress, Throttle(loop, _REPORT_SECONDS, lambda: self._send_report(bar)))
        loop.call_later(_SHOW_AFTER_SECONDS, self._show, bar)
        return bar

    def _show(self, bar: _Bar) -> None:
        if self._bars.get(bar.root) is bar:
            self._server.session.background(self._create(bar))

    async def _create(self, bar: _Bar) -> None:
        create = types.WorkDoneProgressCreateParams(token=bar.token)
        try:
            await self._server.window_work_done_progress_create_async(create)
        except JsonRpcException:
            # The client rejected the bar; indexing continues without it.
            return
        if self._bars.get(bar.root) is not bar:
            return
        bar.shown = True
        self._send(
            bar,
            types.WorkDoneProgressBegin(
                title=f"{PRODUCT}: indexing {unlinked(bar.root.name)}",
                cancellable=True,
                message=_sentence(bar.latest),
                percentage=_percentage(bar.latest),
            ),
        )

    def _finish(self, root: Path) -> None:
        bar = self._bars.pop(root, None)
        if bar is not None and bar.shown:
            bar.shown = False
            self._send(bar, types.WorkDoneProgressEnd())

    def _send_report(self, bar: _Bar) -> None:
        if bar.shown:
            message, percentage = _sentence(bar.latest), _percentage(bar.latest)
            self._send(bar, types.WorkDoneProgressReport(message=message, percentage=percentage))

    def _send(
        self,
        bar: _Bar,
        value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd,
    ) -> None:
        self._server.progress(types.ProgressParams(token=bar.token, value=value))


def _sentence(progress: IndexProgress) -> str:
    if progress.phase == "scanning" or not progress.total:
        return "looking for files"
    if progress.phase == "embedding":
        return f"{progress.done} of {progress.total} texts embedded"
    where = f", {unlinked(progress.current)}" if progress.current else ""
    return f"{progress.done} of {progress.total} files{where}"


def _percentage(progress: IndexProgress) -> int:
    return min(100, 100 * progress.done // progress.total) if progress.total else 0
