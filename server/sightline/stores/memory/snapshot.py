"""Arrays in one file: written in one step, checked before they are believed."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from sightline.platforms import BINARY, replace_file

_MAGIC = b"SIGHTLN1"
_DIGEST_BYTES = 16
_LENGTH_BYTES = 8

Arrays = Mapping[str, NDArray[Any]]


def write(path: Path, meta: Mapping[str, Any], arrays: Arrays) -> None:
    """Replace the snapshot at `path`; readers see the old one or the new one, never a half."""
    flat = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    layout = [(name, array.dtype.str, list(array.shape)) for name, array in flat.items()]
    header = json.dumps({"meta": dict(meta), "arrays": layout}).encode()
    parts: list[bytes | memoryview] = [len(header).to_bytes(_LENGTH_BYTES, "little"), header]
    parts += [array.data.cast("B") if array.size else b"" for array in flat.values()]
    digest = xxhash.xxh3_128()
    for part in parts:
        digest.update(part)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, 0o600)
        with open(descriptor, "wb") as file:
            file.writelines([_MAGIC, digest.digest(), *parts])
        replace_file(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]] | None:
    """The meta data and read-only arrays at `path`; None if it is absent, damaged or of another format."""
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    start = len(_MAGIC) + _DIGEST_BYTES
    body = memoryview(raw)[start:]
    if raw[: len(_MAGIC)] != _MAGIC or xxhash.xxh3_128_digest(body) != raw[len(_MAGIC) : start]:
        return None
    header_end = _LENGTH_BYTES + int.from_bytes(body[:_LENGTH_BYTES], "little")
    header = json.loads(bytes(body[_LENGTH_BYTES:header_end]))
    return header["meta"], _arrays(body[header_end:], header["arrays"])


def _arrays(body: memoryview, layout: list[tuple[str, str, list[int]]]) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    offset = 0
    for name, kind, shape in layout:
        count = math.prod(shape)
        arrays[name] = np.frombuffer(body, dtype=kind, count=count, offset=offset).reshape(shape)
        offset += arrays[name].nbytes
    return arrays
