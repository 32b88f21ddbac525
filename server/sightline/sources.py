"""The files of one folder as the user sees them: unsaved text first, else what is on disk."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sightline.indexing.content import Content, digest_of, read
from sightline.platforms import open_path
from sightline.types import Source

# Characters; with its lines a text takes about three times as many bytes.
_MOST_CHARACTERS = 4_000_000
# Two writes within one tick of a file system's clock leave the same time; the coarsest ticks are two seconds.
# Where more than hundredths of a second are stored, they are those of the system's clock: 16 ms at most.
_SETTLED_NS = 3_000_000_000
_SETTLED_IN_FINE_TIME_NS = 500_000_000
_COARSE_NS = 10_000_000

# What changes when a file is written or replaced.
_Stamp = tuple[int, ...]


class RecentTexts:
    """The texts of a folder that were read last; a file is read again when its status has changed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[_Stamp, Source]] = OrderedDict()
        self._characters = 0

    def read(self, root: Path, path: str, max_bytes: int) -> Source | None:
        """The text of a file; None if there is none to show."""
        stamp = _stamp(root, path, max_bytes)
        with self._lock:
            kept = self._kept.get(path)
            if kept is not None and kept[0] == stamp:
                self._kept.move_to_end(path)
                return kept[1]
        content = read(root, path, max_bytes)
        if not isinstance(content, Content):
            return None
        source = Source(content.text, content.digest)
        # Equal stamps before and after: this is the text that the stamp belongs to.
        if stamp is not None and stamp == _stamp(root, path, max_bytes):
            self._keep(path, stamp, source)
        return source

    def _keep(self, path: str, stamp: _Stamp, source: Source) -> None:
        with self._lock:
            self._drop(path)
            self._kept[path] = stamp, source
            self._characters += len(source.text)
            while self._characters > _MOST_CHARACTERS:
                self._drop(next(iter(self._kept)))

    def _drop(self, path: str) -> None:
        if path in self._kept:
            self._characters -= len(self._kept.pop(path)[1].text)


def _stamp(root: Path, path: str, max_bytes: int) -> _Stamp | None:
    """The identity, size and times of a file; None if it was changed too recently to be sure of them."""
    try:
        status = os.stat(open_path(f"{root}{os.sep}{path}"))
    except (OSError, ValueError):
        return None
    times = status.st_mtime_ns, status.st_ctime_ns
    age = time.time_ns() - max(times)
    # Most files are older than the coarsest ticks.
    if age < _SETTLED_NS and age < _settled_ns(times):
        return None
    return status.st_dev, status.st_ino, status.st_size, *times, max_bytes


def _settled_ns(times: tuple[int, int]) -> int:
    """How long after these times a write to their file cannot leave the same times."""
    # A time may have been set, but only a file system with fine times can store a fine one.
    fine = any(each % _COARSE_NS for each in times)
    return _SETTLED_IN_FINE_TIME_NS if fine else _SETTLED_NS


@dataclass(frozen=True, slots=True)
class Sources:
    """What one request reads; `unsaved` are the texts an editor has, by path."""

    root: Path
    max_bytes: int
    unsaved: Mapping[Path, str] = field(default_factory=dict)
    recent: RecentTexts = field(default_factory=RecentTexts)

    def read(self, path: str) -> Source | None:
        """The text of a file from the editor, else from disk."""
        text = self.unsaved.get(self.root / path) if self.unsaved else None
        if text is not None:
            return Source(text, digest_of(text))
        return self.recent.read(self.root, path, self.max_bytes)
