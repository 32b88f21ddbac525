"""Asks a folder for an answer: waits until it can give one, asks again, reports a failure as a message."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from sightline.errors import Cancelled, InvalidRequest, SightlineError, stop_if
from sightline.folder import Folder, Searchers
from sightline.stores.catalog.schema import means_damage
from sightline.types import Coverage

log = logging.getLogger(__name__)

_Answer = TypeVar("_Answer")

# An index opens in a second or two; a request meanwhile waits instead of finding nothing.
_OPEN_SECONDS = 30.0
_POLL_SECONDS = 0.02
# How often the index of a folder may be replaced during one request; repeated clearing does that.
_MAX_REPLACEMENTS = 3
_UNREADABLE = "The index cannot be read; it is being checked, and rebuilt if it is damaged"


def wait_for_searchers(folder: Folder, cancelled: Callable[[], bool] | None) -> Searchers:
    """The searchers of a folder; waits while its index is being opened."""
    deadline = time.monotonic() + _OPEN_SECONDS
    while (searchers := folder.searchers()) is None:
        stop_if(cancelled)
        if folder.state == "failed" or time.monotonic() > deadline:
            raise SightlineError(folder.reason or "its index is still being opened")
        folder.wait_open(_POLL_SECONDS)
    return searchers


def retry_if_replaced(folder: Folder, ask: Callable[[Folder], _Answer]) -> _Answer:
    """A folder's answer, retried if its index was replaced while it was read."""
    for _ in range(_MAX_REPLACEMENTS):
        memory = folder.memory
        try:
            return ask(folder)
        except sqlite3.Error as error:
            if folder.memory is memory:
                if not means_damage(error):
                    raise
                folder.check()
                raise SightlineError(f"{_UNREADABLE} ({error}).") from error
    return ask(folder)


def attempt(folder: Folder, ask: Callable[[Folder], _Answer]) -> tuple[_Answer | None, str]:
    """A folder's answer, or the message why it has none."""
    try:
        return retry_if_replaced(folder, ask), ""
    except (Cancelled, InvalidRequest):
        raise
    except Exception as error:
        # A folder that fails must not lose the answers of the others.
        log.exception("%s could not answer", folder.root)
        return None, f"{folder.root.name}: {error}"


def coverage_of(folders: Sequence[Folder], failures: Sequence[str]) -> Coverage:
    """How much of some folders is indexed, and what keeps the rest from being searched."""
    done = [folder.progress() for folder in folders]
    indexed, total = sum(part[0] for part in done), sum(part[1] for part in done)
    reasons = [*failures, *(folder.reason for folder in folders if folder.reason)]
    states = {folder.state for folder in folders}
    if failures or states & {"degraded", "failed"}:
        return Coverage("degraded", indexed, total, " ".join(dict.fromkeys(reasons)))
    busy = states & {"opening", "indexing"}
    notices = " ".join(dict.fromkeys(folder.notice for folder in folders if folder.notice))
    return Coverage("indexing" if busy else "ready", indexed, total, notices)
