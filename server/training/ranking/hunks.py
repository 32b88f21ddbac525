"""Locates the lines that a commit changed in an older tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HEAD = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Hunk:
    """The old side of one hunk of a diff: a file, its lines, and the indices of the removed ones."""

    path: str
    lines: tuple[str, ...]
    removed: tuple[int, ...]


def hunks(diff: str) -> Iterator[Hunk]:
    """The hunks of a diff in files that existed before it."""
    # Only a line feed ends a line of a diff; the code may contain other line separators.
    lines = iter(diff.split("\n"))
    path = ""
    for line in lines:
        head = _HEAD.match(line)
        if head:
            found = _hunk(path, _block(lines, int(head[1] or 1), int(head[2] or 1)))
            if path and found.lines:
                yield found
        elif line.startswith("--- "):
            path = line.removeprefix("--- a/") if line.startswith("--- a/") else ""


def _block(lines: Iterator[str], old: int, new: int) -> Iterator[str]:
    """The old side of a hunk, by its line counts, because a removed `-- comment` looks like a file header."""
    while old or new:
        line = next(lines, None)
        if line is None:
            return
        old -= line.startswith((" ", "-"))
        new -= line.startswith((" ", "+"))
        if line.startswith((" ", "-")):
            yield line


def _hunk(path: str, block: Iterator[str]) -> Hunk:
    old = tuple(block)
    removed = tuple(at for at, line in enumerate(old) if line.startswith("-"))
    return Hunk(path, tuple(line[1:] for line in old), removed)


def located(hunk: Hunk, lines: Sequence[str]) -> tuple[int, int] | None:
    """The changed lines of a hunk in a text, 1-based and inclusive; None unless it occurs exactly once."""
    wanted, size = list(hunk.lines), len(hunk.lines)
    found = [
        at
        for at in range(len(lines) - size + 1)
        if lines[at] == wanted[0] and list(lines[at : at + size]) == wanted
    ]
    if len(found) != 1:
        return None
    # A hunk that only adds lines is located at the middle of its context.
    changed = hunk.removed or (size // 2,)
    return found[0] + changed[0] + 1, found[0] + changed[-1] + 1
