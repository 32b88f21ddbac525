"""Walks a folder: finds every file to index, and a reason for each file to skip."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from sightline.confined import listing
from sightline.errors import IndexUnavailable, stop_if
from sightline.indexing.discovery.file_kinds import most_bytes
from sightline.indexing.discovery.ignore import Ignore, is_ignore_file
from sightline.indexing.discovery.ignore_levels import Level
from sightline.indexing.discovery.skips import Skipped
from sightline.platforms import is_junction
from sightline.settings.tree import IndexingSettings

__all__ = ["FoundFile", "Ignore", "Skipped", "is_ignore_file", "scan"]


class FoundFile(NamedTuple):
    """A file to index; `path` is relative to the folder, with forward slashes."""

    path: str
    size: int
    mtime_ns: int


Kind = Literal["link", "folder", "file", "other"]


class _Entry(NamedTuple):
    """A name in a folder, and what kind of entry it is."""

    name: str
    kind: Kind


class _Folder:
    """A folder on disk whose entries are listed once, when they are first needed."""

    def __init__(self, root: Path, path: str) -> None:
        self.root = root
        self.path = path
        self.unreadable = False
        self._entries: list[_Entry] | None = None

    def entries(self) -> list[_Entry]:
        """The entries by name."""
        if self._entries is None:
            try:
                with listing(self.root, self.path) as found:
                    self._entries = sorted(_Entry(entry.name, _kind(entry)) for entry in found)
            except OSError:
                self.unreadable = True
                self._entries = []
        return self._entries

    def names(self) -> frozenset[str]:
        """The names in the folder."""
        return frozenset(entry.name for entry in self.entries())


def scan(
    root: Path, settings: IndexingSettings, cancelled: Callable[[], bool] | None = None
) -> Iterator[FoundFile | Skipped]:
    """Every file below a folder, in a stable order; raises when the folder itself cannot be read.

    A hidden folder is one `Skipped`. Cancelling raises, so that a partial walk is not taken for a whole one.
    """
    ignore = Ignore(root, settings)
    top = _Folder(ignore.root, "")
    names = top.names()
    if top.unreadable:
        raise IndexUnavailable(f"{root} is not a folder that can be read.")
    waiting = [(top, ignore.top(names))]
    while waiting:
        stop_if(cancelled)
        folder, level = waiting.pop()
        below: list[tuple[_Folder, Level]] = []
        for entry in folder.entries():
            yield from _visit(entry, level, ignore, settings.max_file_bytes, below)
        waiting.extend(reversed(below))


def _visit(
    entry: _Entry, level: Level, ignore: Ignore, max_bytes: int, below: list[tuple[_Folder, Level]]
) -> Iterator[FoundFile | Skipped]:
    """The result for one entry; folders to enter are added to `below`."""
    path = "/".join((*level.parts, entry.name))
    if entry.kind == "other" or not _can_be_written(path):
        yield Skipped(path.encode("utf-8", "replace").decode(), "unreadable")
    elif entry.kind == "link":
        yield Skipped(path, ignore.link_reason(os.path.join(ignore.root, path)))
    elif entry.kind == "file":
        yield _file(ignore.root, path, level, max_bytes)
    else:
        folder = _Folder(ignore.root, path)
        verdict = level.judge_folder(entry.name, folder.names)
        if verdict.enter and not folder.entries() and folder.unreadable:
            yield Skipped(path, "unreadable")
        elif verdict.enter:
            below.append((folder, ignore.below(level, entry.name, folder.names(), verdict.reason)))
        else:
            yield Skipped(path, verdict.reason or "ignored")


def _file(root: Path, path: str, level: Level, max_bytes: int) -> FoundFile | Skipped:
    reason = level.judge_file(path.rpartition("/")[2])
    if reason:
        return Skipped(path, reason)
    try:
        stat = os.lstat(os.path.join(root, path))
    except OSError:
        return Skipped(path, "unreadable")
    if stat.st_size > most_bytes(path, max_bytes):
        return Skipped(path, "too large")
    return FoundFile(path, stat.st_size, stat.st_mtime_ns)


def _kind(entry: os.DirEntry[str]) -> Kind:
    """The kind of an entry; pipes, sockets and devices are "other": reading them would block forever."""
    try:
        if entry.is_symlink() or is_junction(entry):
            return "link"
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file(follow_symlinks=False) else "other"
    except OSError:
        return "other"


def _can_be_written(path: str) -> bool:
    """Whether a path can be stored as text; names that are not valid in the file system's encoding cannot."""
    try:
        return path.isascii() or bool(path.encode("utf-8"))
    except UnicodeEncodeError:
        return False
