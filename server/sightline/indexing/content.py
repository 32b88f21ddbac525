"""The text of one file, decoded and hashed, or the reason to skip it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, NamedTuple

import xxhash

from sightline.confined import OutsideError, reader
from sightline.indexing.discovery.file_kinds import most_bytes, original_name
from sightline.indexing.discovery.secrets import holds_secret
from sightline.indexing.discovery.skips import Skipped, SkipReason

Encoding = Literal["utf-8", "utf-8-bom", "utf-16", "latin-1"]

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_UTF_32 = b"\xff\xfe\0\0"
_MARKED: tuple[Encoding, ...] = ("utf-8-bom", "utf-16")
_SNIFFED_BYTES = 8192
# Control characters that no editor writes; binary data without a NUL is full of them.
_CONTROLS = bytes({*range(32)} - {*b"\b\t\n\f\r\x1b"})
_CONTROL_SHARE = 0.1
# A file that is being written is read again; after this many attempts it is used as it is.
_ATTEMPTS = 3
# Hand-written code averages 30 to 50 characters a line; a bundler writes thousands.
_MINIFIED_LINE = 500
_MINIFIED_BYTES = 2000
_MINIFIABLE = (".js", ".mjs", ".cjs", ".css")


class Content(NamedTuple):
    """The text of a file; newlines are as on disk, a byte order mark is removed."""

    text: str
    digest: bytes
    size: int
    mtime_ns: int
    encoding: Encoding
    note: str = ""


def read(root: Path, path: str, max_bytes: int) -> Content | Skipped:
    """The content of a file; at most one byte more is read than the limit for a file of its name."""
    max_bytes = most_bytes(path, max_bytes)
    try:
        raw, status = _read_stable(root, path, max_bytes)
    except OutsideError:
        return Skipped(path, "outside")
    except (OSError, ValueError):
        return Skipped(path, "unreadable")
    if len(raw) > max_bytes:
        return Skipped(path, "too large")
    if _is_binary(raw):
        return Skipped(path, "binary")
    text, encoding, note = decode(raw)
    reason = _reason_from_text(path, text)
    if reason:
        return Skipped(path, reason)
    # The editor's text of the file has no byte order mark either, and must get the same digest.
    digest = digest_of(text) if encoding in _MARKED else xxhash.xxh3_128_digest(raw)
    return Content(text, digest, len(raw), status.st_mtime_ns, encoding, note)


def digest_of(text: str) -> bytes:
    """The digest of a file that contains exactly this text, in UTF-8 or after a byte order mark."""
    return xxhash.xxh3_128_digest(text.encode("utf-8", "surrogatepass"))


def _read_stable(root: Path, path: str, max_bytes: int) -> tuple[bytes, os.stat_result]:
    """The bytes of a file, and its status if that did not change while reading."""
    for _ in range(_ATTEMPTS):
        with reader(root, path) as file:
            before = os.fstat(file.fileno())
            # Space for the largest file, for each of many small ones, would take as long as reading them.
            raw = file.read(min(before.st_size, max_bytes) + 1)
            if len(raw) > before.st_size:
                # Some file systems do not know the size of a file.
                raw += file.read(max_bytes + 1 - len(raw))
            after = os.fstat(file.fileno())
        if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size):
            break
    return raw, before


def _is_binary(raw: bytes) -> bool:
    """Whether the start has a NUL, which only UTF-16 text has, or many other control characters."""
    if raw.startswith(_UTF_16) and not raw.startswith(_UTF_32):
        return False
    start = raw[:_SNIFFED_BYTES]
    controls = len(start) - len(start.translate(None, _CONTROLS))
    return b"\0" in start or controls > len(start) * _CONTROL_SHARE


def decode(raw: bytes) -> tuple[str, Encoding, str]:
    """The decoded text, its encoding, and a note if the encoding is a guess."""
    if raw.startswith(_UTF_16):
        return raw.decode("utf-16", "replace"), "utf-16", ""
    try:
        if raw.startswith(b"\xef\xbb\xbf"):
            return raw[3:].decode("utf-8"), "utf-8-bom", ""
        return raw.decode("utf-8"), "utf-8", ""
    except UnicodeDecodeError as error:
        note = f"not UTF-8 (byte {error.start}); read as latin-1"
        return raw.decode("latin-1"), "latin-1", note


def _reason_from_text(path: str, text: str) -> SkipReason | None:
    name = original_name(path.rpartition("/")[2])
    if holds_secret(name, text):
        return "secret"
    if name.endswith(_MINIFIABLE) and len(text) > _MINIFIED_BYTES:
        return "minified" if len(text) / (text.count("\n") + 1) > _MINIFIED_LINE else None
    return None
