"""Reads a bare git repository: its newest source files and the subjects of its commits."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LARGEST = 150_000
_LINE = re.compile(rb"^\d+ blob ([0-9a-f]+) +(\d+)\t(.+)$")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit's subject line and the files it changed."""

    subject: str
    paths: tuple[str, ...]


def _git(repository: Path, *arguments: str) -> bytes:
    command = ["git", f"--git-dir={repository}", "-c", "core.quotePath=false", *arguments]
    return subprocess.run(command, capture_output=True, check=False, timeout=120).stdout


def newest_files(repository: Path, suffixes: frozenset[str]) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the small files of HEAD; skip blobs that a partial clone lacks."""
    wanted: dict[str, str] = {}
    for line in _git(repository, "ls-tree", "-r", "-l", "HEAD").splitlines():
        match = _LINE.match(line)
        if match and int(match[2]) < _LARGEST:
            path = match[3].decode("utf-8", "replace")
            if path.rsplit(".", 1)[-1].lower() in suffixes:
                wanted[match[1].decode()] = path
    yield from _contents(repository, wanted)


def _contents(repository: Path, paths: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    command = ["git", f"--git-dir={repository}", "cat-file", "--batch"]
    answer = subprocess.run(command, input="\n".join(paths).encode(), capture_output=True, check=False).stdout
    position = 0
    while (end := answer.find(b"\n", position)) >= 0:
        fields = answer[position:end].split()
        position = end + 1
        if len(fields) == 3:
            size = int(fields[2])
            yield paths[fields[0].decode()], answer[position : position + size]
            position += size + 1


def commits(repository: Path, most: int) -> Iterator[Commit]:
    """Yield the newest non-merge commits, with the files that each changed."""
    log = _git(repository, "log", "--no-merges", f"-n{most}", "--name-only", "--format=%x00%s")
    for entry in log.decode("utf-8", "replace").split("\0"):
        subject, _, rest = entry.partition("\n")
        if subject:
            yield Commit(subject, tuple(path for path in rest.splitlines() if path))
