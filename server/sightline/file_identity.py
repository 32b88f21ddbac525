"""Which file a path leads to, whatever was done to the path meanwhile."""

from __future__ import annotations

from pathlib import Path

Identity = tuple[int, int]


def file_identity(file: Path) -> Identity | None:
    """Device and number of a file; None if there is none."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
