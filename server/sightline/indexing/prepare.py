"""What is to be taken in of one file: its draft, the reason to leave it out, or nothing new."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sightline.indexing.content import Content, read
from sightline.indexing.discovery.skips import Skipped
from sightline.indexing.file_record import PreparedFile, draft_file, language_of

# A file written this recently may change again within its time stamp's resolution: its time proves nothing.
_RACY_NS = 100_000_000


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """All that reading a folder's files depends on, so that any process can do it."""

    root: Path
    max_bytes: int
    languages: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A file to look at, and the digest of what is known of it."""

    path: str
    digest: bytes | None = None


@dataclass(frozen=True, slots=True)
class UnchangedFile:
    """A file whose bytes are those that are known."""

    path: str
    size: int
    mtime_ns: int


Prepared = PreparedFile | Skipped | UnchangedFile


def prepare_file(read_options: ReadOptions, wanted: FileRequest, *, parse: bool = True) -> Prepared:
    """Read a file and prepare what is stored of it; without `parse` it is cut by lines."""
    content = read(read_options.root, wanted.path, read_options.max_bytes)
    if isinstance(content, Skipped):
        return content
    content = _proven(content)
    if content.digest == wanted.digest:
        return UnchangedFile(wanted.path, content.size, content.mtime_ns)
    language = language_of(wanted.path, content.text, read_options.languages)
    return draft_file(wanted.path, content, language, parse=parse)


def _proven(content: Content) -> Content:
    """The content with a time stamp only if that can be told from the next change's."""
    racy = time.time_ns() - content.mtime_ns < _RACY_NS
    return replace(content, mtime_ns=0) if racy else content
