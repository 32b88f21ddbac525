"""Reads the log of a git repository without letting the repository run anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sightline.platforms import child_flags, lower_priority_of

MOST_COMMITS = 4000
_SECONDS = 30.0
_MOST_BYTES = 1 << 26
_RECORD, _FIELD = "\x1e", "\x1f"
_FORMAT = "--format=%x1e%H%x1f%ct%x1f%s"
# What a repository's config could make git run: monitors, hooks, programs that check signatures.
# A root commit, real or the boundary of a shallow clone, would seem to change every file.
_CONFIG = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "log.showSignature": "false",
    "log.showRoot": "false",
    "safe.bareRepository": "explicit",
}
_OPTIONS = [argument for key, value in _CONFIG.items() for argument in ("-c", f"{key}={value}")]
_SAFE = ["--no-pager", "--no-optional-locks", *_OPTIONS]
_LOG = ["log", "-z", "--no-merges", "--no-renames", "--no-follow", "--no-color", "--no-ext-diff"]
_LOG += ["--no-textconv", "--no-show-signature", "--no-notes", "--name-only", "--relative", _FORMAT]


class Commit(NamedTuple):
    """One change: its subject, when it was committed (seconds), and the files it changed."""

    id: str
    time: int
    subject: str
    files: tuple[str, ...]


class Git:
    """Queries one repository; `where` are the options that select it, `program` is the path of git."""

    def __init__(self, program: str, where: tuple[str, ...], seconds: float = _SECONDS) -> None:
        self._command = [program, *_SAFE, *where]
        self._seconds = seconds

    def head(self) -> str | None:
        """The commit that is checked out."""
        found = self.run(["rev-parse", "--verify", "--quiet", "HEAD"])
        return found.strip() or None if found is not None else None

    def leads_to(self, old: str, new: str) -> bool:
        """Whether one commit is an ancestor of another."""
        return self.run(["merge-base", "--is-ancestor", old, new]) is not None

    def log(self, revisions: str) -> list[Commit] | None:
        """The commits of a range, newest first; None if git fails."""
        found = self.run([*_LOG, "-n", str(MOST_COMMITS), "--end-of-options", revisions])
        return None if found is None else parsed(found)

    def run(self, arguments: list[str], options: Sequence[str] = ()) -> str | None:
        """What git prints; None if it fails, takes too long or prints too much."""
        try:
            process = subprocess.Popen(
                [*self._command, *options, *arguments],
                cwd=Path(__file__).parent,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=child_flags(background=True),
            )
        except OSError:
            return None
        lower_priority_of(process.pid)
        limit = threading.Timer(self._seconds, process.kill)
        limit.daemon = True
        limit.start()
        with process:
            assert process.stdout is not None
            printed = process.stdout.read(_MOST_BYTES)
            if len(printed) == _MOST_BYTES:
                process.kill()
        limit.cancel()
        return printed.decode("utf-8", "surrogateescape") if process.returncode == 0 else None


def program_for(root: Path) -> str | None:
    """The path of git; None if it is not found outside the folder itself, which is not trusted."""
    found = shutil.which("git")
    if not found or not os.path.isabs(found) or Path(found).resolve().is_relative_to(root):
        return None
    return found


def parsed(text: str) -> list[Commit]:
    """The commits of a printed log."""
    commits = []
    for record in text.split(_RECORD)[1:]:
        head, *names = record.split("\0")
        fields = head.split(_FIELD, 2)
        if len(fields) == 3 and fields[1].isdigit():
            files = tuple(name.removeprefix("\n") for name in names if name.strip("\n"))
            commits.append(Commit(fields[0], int(fields[1]), fields[2], files))
    return commits


def _environment() -> dict[str, str]:
    """The environment without git's variables; git does not prompt, fetch or contact anything."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    # A partial clone would fetch missing objects with commands that its config names.
    return {**kept, "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
