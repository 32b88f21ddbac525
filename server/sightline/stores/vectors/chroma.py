"""Vectors in Chroma, by content key: a local folder, or a server that the user runs."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sightline.arrays import Floats
from sightline.errors import SightlineError
from sightline.processes.worker_process import WorkerDied, WorkerFailed, WorkerProcess

_MODULE = "sightline.stores.vectors.chroma_process"
_OPEN_SECONDS = 120.0
_WRITE_SECONDS = 300.0
# The user waits for a query, and there are other ways to answer it.
_QUERY_SECONDS = 10.0
_CLOSE_SECONDS = 10.0
# A server killed a moment ago leaves a worker that is still finishing its last batch.
_PREDECESSOR_SECONDS = 20.0
# Chroma never frees disk space; with more dead vectors than this, and than live ones, it is rebuilt.
_DEAD_TOLERATED = 20_000
_BUSY = "BlockingIOError"
# SQLite's busy, locked, read-only, I/O, full and cannot open, the operating system's errors for the same,
# and our own bugs: the stored data is not at fault, so it must not be moved away.
_OUTSIDE_CAUSE = re.compile(
    r"\(code: (5|6|8|10|13|14)\)|os error (13|24|28|30)"
    r"|^(ImportError|ModuleNotFoundError|TypeError|ValueError|InvalidArgumentError|ValidationError|"
    + _BUSY
    + ")"
)


class StoreUnavailable(SightlineError):
    """The vector store cannot be used now; its content can be rebuilt from the catalog."""


class StoreDamaged(StoreUnavailable):
    """The data on disk is damaged: it has to be moved aside before a new store can replace it."""


class ChromaStore:
    """One open collection; every failure is StoreUnavailable, and reopening repairs what it can."""

    def __init__(self, worker: WorkerProcess, local: bool, notice: str = "") -> None:
        self._worker = worker
        self._local = local
        # What the user should know about how it was opened; empty if there was no problem.
        self.notice = notice

    @classmethod
    def open(cls, place: Path | str, collection: str, dim: int) -> ChromaStore:
        """Open a folder or a URL and verify it; a damaged folder is moved aside and a new one created."""
        if isinstance(place, str):
            return cls(_open_url(place, collection, dim), local=False)
        try:
            store = cls(_open_folder(place, collection, dim), local=True)
            if not store._mostly_dead():
                return store
            store.close()
            shutil.rmtree(place, ignore_errors=True)
            notice = ""
        except StoreDamaged as damage:
            notice = f"{damage} {move_aside(place)}"
        return cls(_open_folder(place, collection, dim), local=True, notice=notice)

    @property
    def pid(self) -> int:
        """The id of the process that runs Chroma."""
        return self._worker.pid

    def count(self) -> int:
        """How many vectors there are."""
        return int(self._call("count", timeout=_WRITE_SECONDS))

    def keys(self) -> set[int]:
        """The keys of all vectors."""
        found: set[int] = self._call("keys", timeout=_WRITE_SECONDS)
        return found

    def upsert(self, keys: Sequence[int], vectors: Floats) -> None:
        """Insert or replace vectors by key; `keys` must be distinct."""
        if len(keys):
            self._call("upsert", list(keys), vectors, timeout=_WRITE_SECONDS)

    def delete(self, keys: Sequence[int]) -> None:
        """Delete vectors; unknown keys are ignored."""
        if len(keys):
            self._call("delete", list(keys), timeout=_WRITE_SECONDS)

    def query(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """The approximately nearest keys and their cosines, best first."""
        found: list[tuple[int, float]] = self._call("query", vector, k, timeout=_QUERY_SECONDS)
        return found

    def close(self) -> None:
        """Finish pending work and release the folder."""
        self._worker.close(_CLOSE_SECONDS)

    def _mostly_dead(self) -> bool:
        dead = int(self._call("dead", timeout=_WRITE_SECONDS))
        return dead > max(_DEAD_TOLERATED, self.count())

    def _call(self, name: str, *arguments: Any, timeout: float) -> Any:
        try:
            return self._worker.call(name, *arguments, timeout=timeout)
        except (WorkerDied, WorkerFailed) as error:
            raise _store_error(error, self._local) from None


def move_aside(folder: Path) -> str:
    """Move a damaged store away and return a message that says where; only the last one is kept."""
    older = [path for path in folder.parent.glob(f"{folder.name}.damaged-*") if _number(path)]
    target = folder.with_name(f"{folder.name}.damaged-{max(map(_number, older), default=0) + 1}")
    try:
        folder.rename(target)
    except FileNotFoundError:
        return "It is being rebuilt."
    except OSError as error:
        raise StoreUnavailable(f"The damaged vector store cannot be moved away: {error}.") from None
    for path in older:
        shutil.rmtree(path, ignore_errors=True)
    return f"It was moved to {target.name} and is being rebuilt."


def _number(path: Path) -> int:
    number = path.name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def _store_error(error: WorkerDied | WorkerFailed, local: bool) -> StoreUnavailable:
    broken = error.crashed if isinstance(error, WorkerDied) else not _OUTSIDE_CAUSE.search(str(error))
    if local and broken:
        return StoreDamaged(f"The vector store is damaged ({error}).")
    return StoreUnavailable(f"The vector store cannot be used ({error}).")


def _open_url(url: str, collection: str, dim: int) -> WorkerProcess:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise StoreUnavailable(f"store.url must look like http://host:8000, not {url!r}.")
    worker = _start()
    try:
        worker.call("open_url", url, collection, dim, timeout=_OPEN_SECONDS)
    except (WorkerDied, WorkerFailed) as error:
        worker.kill()
        raise StoreUnavailable(f"The Chroma server at {url} cannot be used ({error}).") from None
    return worker


def _open_folder(folder: Path, collection: str, dim: int) -> WorkerProcess:
    _check_writable(folder)
    deadline = time.monotonic() + _PREDECESSOR_SECONDS
    while True:
        worker = _start()
        try:
            worker.call("open_folder", str(folder), collection, dim, timeout=_OPEN_SECONDS)
            return worker
        except (WorkerDied, WorkerFailed) as error:
            worker.kill()
            if not str(error).startswith(_BUSY) or time.monotonic() > deadline:
                raise _store_error(error, local=True) from None
        time.sleep(0.5)


def _start() -> WorkerProcess:
    try:
        return WorkerProcess(_MODULE, "vector store")
    except OSError as error:
        raise StoreUnavailable(f"The vector store's process cannot be started: {error}.") from None


def _check_writable(folder: Path) -> None:
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"The vector store's folder cannot be created: {error}.") from None
    for place in (folder.parent, folder):
        if place.exists() and not os.access(place, os.W_OK):
            raise StoreUnavailable(f"The vector store cannot be written: {place} is read-only.")
