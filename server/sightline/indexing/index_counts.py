"""Counts of an index's contents, computed when a status is requested and cached until it changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from sightline.indexing.open_index import OpenIndex
from sightline.location import disk_bytes
from sightline.parsed_file import PARSE_STATUSES
from sightline.stores.catalog.catalog import Catalog

# Snapshots and Chroma's copy are written without a new generation; their size is checked this often.
_DISK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class StoredCounts:
    """Files by parse status and language, skipped files by reason, and the size on disk."""

    parse: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(PARSE_STATUSES, 0))
    languages: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    not_utf8: int = 0
    disk_bytes: int = 0


class CountsCache:
    """Counts an index once per generation; may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key: tuple[Catalog, int, int] | None = None
        self._counts = StoredCounts()

    def of(self, index: OpenIndex) -> StoredCounts:
        """The counts of an index as it is now."""
        period = int(time.monotonic() / _DISK_SECONDS)
        key = (index.catalog, index.memory.generation, period)
        with self._lock:
            if key != self._key:
                self._counts = _count(index)
                self._key = key
            return self._counts


def _count(index: OpenIndex) -> StoredCounts:
    with index.memory.guard.reading():
        files = index.memory.files
        parse, languages, noted = files.tally("parse"), files.tally("language"), files.noted()
    return StoredCounts(
        dict.fromkeys(PARSE_STATUSES, 0) | parse,
        languages,
        index.catalog.skipped_by_reason(),
        noted,
        disk_bytes(index.files.directory),
    )
