"""The identity of the file at a path, to detect that the file was replaced."""

from __future__ import annotations

from pathlib import Path

Identity = tuple[int, int]


def file_identity(file: Path) -> Identity | None:
    """Device and inode number of a file; None if there is no file."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
