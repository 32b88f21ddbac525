"""Prepares one file for the index: its draft, the reason to skip it, or that it is unchanged."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sightline.indexing.content import Content, read
from sightline.indexing.discovery.skips import Skipped
from sightline.indexing.file_record import PreparedFile, draft_file, language_of

# A file written this recently may change again within its time stamp's resolution: its time proves nothing.
_RACY_NS = 100_000_000


class ReadOptions(NamedTuple):
    """Everything that reading a folder's files depends on, so that any process can do it."""

    root: Path
    max_bytes: int
    languages: Mapping[str, str]


class FileRequest(NamedTuple):
    """A file to read, and the digest of the indexed version if there is one."""

    path: str
    digest: bytes | None = None


class UnchangedFile(NamedTuple):
    """A file whose bytes equal the indexed version."""

    size: int
    mtime_ns: int


Prepared = PreparedFile | Skipped | UnchangedFile


def prepare_file(read_options: ReadOptions, wanted: FileRequest, *, parse: bool = True) -> Prepared:
    """Read a file and prepare what is stored; without `parse` it is cut by lines."""
    content = read(read_options.root, wanted.path, read_options.max_bytes)
    if isinstance(content, Skipped):
        return content
    content = _without_racy_time(content)
    if content.digest == wanted.digest:
        return UnchangedFile(content.size, content.mtime_ns)
    language = language_of(wanted.path, content.text, read_options.languages)
    return draft_file(wanted.path, content, language, parse=parse)


def _without_racy_time(content: Content) -> Content:
    """The content, without its time stamp if the next change could have the same one."""
    racy = time.time_ns() - content.mtime_ns < _RACY_NS
    return content._replace(mtime_ns=0) if racy else content
