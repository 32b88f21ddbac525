"""The history of one folder: read in the background and updated when HEAD moves; callers never wait."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from sightline.history.log import MOST_COMMITS, Git, program_for
from sightline.history.subjects import NOTHING, Subjects
from sightline.indexing.discovery.git_files import git_folder, work_tree

Stamp = tuple[tuple[int, int], ...]


class History:
    """The past commits of a folder's repository; empty without git or a repository."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._subjects = NOTHING
        self._stamp: Stamp = ()
        self._lock = threading.Lock()
        self._reading: threading.Thread | None = None

    def current(self) -> Subjects:
        """What is known now; a changed HEAD is detected by its time stamp and read in the background."""
        stamp = _stamp(self._root)
        with self._lock:
            busy = self._reading is not None and self._reading.is_alive()
            if stamp != self._stamp and not busy:
                self._reading = threading.Thread(
                    target=self._read, args=(stamp,), name="sightline-history", daemon=True
                )
                self._reading.start()
            return self._subjects

    def _read(self, stamp: Stamp) -> None:
        found = self._newer() if stamp else NOTHING
        with self._lock:
            self._subjects, self._stamp = found, stamp

    def _newer(self) -> Subjects:
        program = program_for(self._root)
        return refreshed(Git(program, ("-C", str(self._root))), self._subjects) if program else NOTHING


def refreshed(git: Git, known: Subjects) -> Subjects:
    """The subjects up to HEAD: only new commits are read, unless the known head is not an ancestor."""
    head = git.head()
    if head is None or head == known.head:
        return known if head else NOTHING
    continued = bool(known.head) and git.leads_to(known.head, head)
    fresh = git.log(f"{known.head}..{head}" if continued else head)
    if fresh is None:
        return NOTHING
    return Subjects([*fresh, *(known.commits if continued else ())][:MOST_COMMITS], head)


def _stamp(root: Path) -> Stamp:
    """Sizes and times of the files that change with HEAD; empty without a repository."""
    top = work_tree(root)
    folder = git_folder(top) if top else None
    if folder is None or not os.path.isfile(folder / "HEAD"):
        return ()
    return tuple(_state(folder / name) for name in ("HEAD", "logs/HEAD"))


def _state(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return found.st_mtime_ns, found.st_size
