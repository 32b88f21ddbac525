"""Arrays in one file: written atomically and memory-mapped, so that the size does not slow down opening."""

from __future__ import annotations

import json
import math
import mmap
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import xxhash
from numpy.typing import NDArray

from sightline.platforms import BINARY, read_ahead, replace_file

_MAGIC = b"SIGHTLN2"
_DIGEST_BYTES = 16
_LENGTH_BYTES = 8
_HEADER_START = len(_MAGIC) + _DIGEST_BYTES + _LENGTH_BYTES
# A cache line, and a multiple of the size of every number type.
_ALIGNMENT = 64
# Spare rows for appending after opening: one in this many of the existing rows, and at least this many.
_SPARE_SHARE = 8
_MIN_SPARE_ROWS = 1024
# Files up to this size are hashed in a few milliseconds; larger ones are checked later, see `is_intact`.
_CHECKED_AT_ONCE = 32 << 20

Array = NDArray[Any]


class Growing(NamedTuple):
    """An array that is opened with spare capacity after its rows, so that appending does not copy it."""

    rows: Array


Arrays = Mapping[str, Array | Growing]


class _Entry(NamedTuple):
    """Where an array is in the file, relative to the end of the header."""

    name: str
    dtype: str
    shape: list[int]
    room: int
    offset: int
    digest: str

    @property
    def bytes(self) -> int:
        """How many bytes the array takes, without the spare capacity."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize

    @property
    def capacity(self) -> tuple[int, ...]:
        """The shape with the spare capacity."""
        return (self.shape[0] + self.room, *self.shape[1:])

    @property
    def end(self) -> int:
        """Where the spare capacity of the array ends."""
        return self.offset + math.prod(self.capacity) * np.dtype(self.dtype).itemsize


class Snapshot(NamedTuple):
    """An opened snapshot; changes to the arrays stay in this process."""

    path: Path
    meta: dict[str, Any]
    arrays: dict[str, Array]
    # Whether the checksums of its arrays were verified.
    checked: bool


def prefixed(prefix: str, arrays: Arrays) -> Arrays:
    """The same arrays under longer names."""
    return {f"{prefix}.{name}": array for name, array in arrays.items()}


def below(prefix: str, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays that were given a prefix, without it."""
    start = f"{prefix}."
    return {name[len(start) :]: array for name, array in arrays.items() if name.startswith(start)}


def write(path: Path, meta: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a snapshot to `path` atomically; OSError if that is not possible."""
    flat = {name: np.ascontiguousarray(_rows(array)) for name, array in arrays.items()}
    entries = _laid_out(flat, {name for name, array in arrays.items() if isinstance(array, Growing)})
    _write(path, meta, entries, ((entry, _bytes(flat[entry.name])) for entry in entries))


def copy(source: Path, target: Path, meta: Mapping[str, Any]) -> bool:
    """Copy a snapshot and replace some of its metadata; return False if the source cannot be read.

    The checksums are copied too, so damage is found in the copy as in the source.
    """
    with suppress(FileNotFoundError, ValueError, KeyError, TypeError), source.open("rb") as file:
        old, entries, start = _read_header(file.read(_HEADER_START), file)
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            if len(mapped) == _size(entries, start):
                _write(target, {**old, **meta}, entries, _parts(mapped, entries, start))
                return True
    return False


def read(path: Path) -> Snapshot | None:
    """The snapshot at `path`, mapped; None if it is absent, of another format or recognisably damaged."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            meta, entries, start = _read_header(file.read(_HEADER_START), file)
            if size != _size(entries, start):
                return None
            read_ahead(file.fileno())
            # Copy on write: unchanged pages are shared by all processes that have the file open.
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        checked = size <= _CHECKED_AT_ONCE
        if checked and not _matches(mapped, entries, start):
            return None
        arrays = {entry.name: _array(mapped, entry, start) for entry in entries}
        return Snapshot(path, meta, arrays, checked)
    return None


def is_intact(path: Path) -> bool:
    """Whether every byte of a snapshot is as it was written; also true if the file no longer exists."""
    try:
        with path.open("rb") as file:
            _, entries, start = _read_header(file.read(_HEADER_START), file)
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                return _matches(mapped, entries, start)
    except FileNotFoundError:
        return True
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _write(
    path: Path,
    meta: Mapping[str, Any],
    entries: list[_Entry],
    parts: Iterable[tuple[_Entry, memoryview | bytes]],
) -> None:
    header = json.dumps({"meta": dict(meta), "arrays": [_listed(entry) for entry in entries]}).encode()
    start = _aligned(_HEADER_START + len(header))
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY
    try:
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(_MAGIC + xxhash.xxh3_128_digest(header))
            file.write(len(header).to_bytes(_LENGTH_BYTES, "little") + header)
            for entry, part in parts:
                file.seek(start + entry.offset)
                file.write(part)
            file.truncate(_size(entries, start))
            file.flush()
            # Only the names of files are written in order: without this a crash could leave a file of zeros.
            os.fsync(file.fileno())
        replace_file(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _size(entries: list[_Entry], start: int) -> int:
    return start + max((entry.end for entry in entries), default=0)


def _rows(array: Array | Growing) -> Array:
    return array.rows if isinstance(array, Growing) else array


def _bytes(array: Array) -> memoryview | bytes:
    return array.data.cast("B") if array.size else b""


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGNMENT) * _ALIGNMENT


def _laid_out(arrays: Mapping[str, Array], growing: set[str]) -> list[_Entry]:
    entries: list[_Entry] = []
    offset = 0
    for name, array in arrays.items():
        room = max(_MIN_SPARE_ROWS, len(array) // _SPARE_SHARE) if name in growing else 0
        digest = xxhash.xxh3_64_hexdigest(_bytes(array))
        entries.append(_Entry(name, array.dtype.str, list(array.shape), room, offset, digest))
        offset = _aligned(entries[-1].end)
    return entries


def _listed(entry: _Entry) -> list[Any]:
    return [entry.name, entry.dtype, entry.shape, entry.room, entry.offset, entry.digest]


def _read_header(head: bytes, file: Any) -> tuple[dict[str, Any], list[_Entry], int]:
    """The metadata, the array entries, and where the arrays begin; ValueError if this is no snapshot."""
    length = int.from_bytes(head[-_LENGTH_BYTES:], "little")
    header = file.read(min(length, os.fstat(file.fileno()).st_size))
    digest = head[len(_MAGIC) : len(_MAGIC) + _DIGEST_BYTES]
    if head[: len(_MAGIC)] != _MAGIC or xxhash.xxh3_128_digest(header) != digest:
        raise ValueError("not a snapshot of this format")
    content = json.loads(header)
    return content["meta"], [_Entry(*entry) for entry in content["arrays"]], _aligned(_HEADER_START + length)


def _matches(mapped: mmap.mmap, entries: list[_Entry], start: int) -> bool:
    return all(
        xxhash.xxh3_64_hexdigest(part) == entry.digest for entry, part in _parts(mapped, entries, start)
    )


def _parts(mapped: mmap.mmap, entries: list[_Entry], start: int) -> Iterator[tuple[_Entry, memoryview]]:
    with memoryview(mapped) as whole:
        for entry in entries:
            with whole[start + entry.offset : start + entry.offset + entry.bytes] as part:
                yield entry, part


def _array(mapped: mmap.mmap, entry: _Entry, start: int) -> Array:
    count = math.prod(entry.capacity)
    if not count:
        return np.zeros(entry.capacity, entry.dtype)
    return np.frombuffer(mapped, entry.dtype, count, start + entry.offset).reshape(entry.capacity)
