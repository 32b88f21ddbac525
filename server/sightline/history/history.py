"""The history of one folder: read in the background and updated when HEAD moves; callers never wait."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from sightline.history.log import MOST_COMMITS, Git, program_for
from sightline.history.subjects import NOTHING, Subjects
from sightline.indexing.discovery.git_files import git_folder, work_tree

Stamp = tuple[tuple[int, int], ...]
_ABSENT = (0, 0)
# How soon a folder that becomes a repository is noticed.
_LOOK_SECONDS = 2.0


class History:
    """The past commits of a folder's repository; empty without git or a repository."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._subjects = NOTHING
        self._stamp: Stamp = ()
        # The git folder that was found last.
        self._folder = ""
        # Looking for a git folder in every folder above takes longer than the rest of reading a query.
        self._look_again = 0.0
        self._lock = threading.Lock()
        self._reading: threading.Thread | None = None

    def current(self) -> Subjects:
        """What is known now; a changed HEAD is detected by its time stamp and read in the background."""
        stamp = self._current_stamp()
        with self._lock:
            busy = self._reading is not None and self._reading.is_alive()
            if stamp != self._stamp and not busy:
                self._reading = threading.Thread(
                    target=self._read, args=(stamp,), name="sightline-history", daemon=True
                )
                self._reading.start()
            return self._subjects

    def _current_stamp(self) -> Stamp:
        """Sizes and times of the files that change with HEAD; empty without a repository."""
        stamp = _stamp(self._folder) if self._folder else ()
        if not stamp and time.monotonic() >= self._look_again:
            self._look_again = time.monotonic() + _LOOK_SECONDS
            top = work_tree(self._root)
            found = git_folder(top) if top else None
            self._folder = str(found) if found else ""
            stamp = _stamp(self._folder) if found else ()
        return stamp

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


def _stamp(folder: str) -> Stamp:
    """The states of the files of a git folder that change with HEAD; empty if it has no HEAD."""
    head = _state(os.path.join(folder, "HEAD"))
    return (head, _state(os.path.join(folder, "logs", "HEAD"))) if head != _ABSENT else ()


def _state(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return _ABSENT
    return found.st_mtime_ns, found.st_size
