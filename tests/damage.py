"""Damage to the files of an index and to the free space on its disk."""

from __future__ import annotations

import os
import random
from pathlib import Path

_A_FEW = 200


def cut(file: Path) -> None:
    """Truncate a file to half its size."""
    os.truncate(file, file.stat().st_size // 2)


def empty(file: Path) -> None:
    """Truncate a file to zero bytes."""
    os.truncate(file, 0)


def overwrite(file: Path, offset: int, size: int, seed: int = 1) -> None:
    """Overwrite one range with random bytes."""
    with file.open("r+b") as raw:
        raw.seek(offset)
        raw.write(random.Random(seed).randbytes(size))


def scribble(file: Path) -> None:
    """Overwrite several ranges with random bytes, more of them in a larger file."""
    size = file.stat().st_size
    rng = random.Random(size)
    for place in range(1 + size // 16384):
        overwrite(file, rng.randrange(size), 2048, seed=place)


def garble(file: Path) -> None:
    """Replace about a quarter of the bytes with random ones."""
    _change(file, max(_A_FEW, file.stat().st_size // 4))


def garble_lightly(file: Path) -> None:
    """Replace a few bytes with random ones."""
    _change(file, _A_FEW)


def fill(disk: Path) -> Path:
    """Fill a disk with one file and return that file."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(1 << 14)):
                pass
        except OSError:
            return filler
    raise AssertionError("the disk has no end")


def _change(file: Path, count: int) -> None:
    raw, rng = bytearray(file.read_bytes()), random.Random(1)
    for _ in range(count if raw else 0):
        raw[rng.randrange(len(raw))] = rng.randrange(256)
    file.write_bytes(raw)
