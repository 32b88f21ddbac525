"""Finds differences between a folder on disk and its catalog, without reading file contents."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sightline.indexing.discovery.discover import FoundFile, Ignore, Skipped
from sightline.indexing.file_record import PreparedFile
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.records import FileState, SkippedFile

# Hidden by a rule: only counted, because nothing below a hidden folder is visited.
_BY_RULE = frozenset({"ignored", "noise", "excluded"})
# Decided by reading the file, so its size and time say whether to read it again; other reasons cost nothing.
_BY_CONTENT = frozenset({"binary", "minified", "secret"})


class Known(NamedTuple):
    """What the catalog has about some paths: files, and notes about skipped files."""

    files: Mapping[str, FileState]
    notes: Mapping[str, SkippedFile]

    @classmethod
    def all(cls, catalog: Catalog) -> Known:
        """Everything in the catalog."""
        return cls(catalog.files(), catalog.skipped())

    @classmethod
    def of(cls, catalog: Catalog, paths: Iterable[str]) -> Known:
        """What the catalog has about these paths."""
        wanted = set(paths)
        return cls(
            {path: file for path in wanted if (file := catalog.file(path))},
            {path: note for path, note in catalog.skipped().items() if path in wanted},
        )


@dataclass(slots=True)
class Batch:
    """What one commit writes: files to store and to remove, and notes about skipped files."""

    prepared_files: list[PreparedFile] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    unskipped: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.prepared_files or self.removed or self.skipped or self.unskipped)

    def __len__(self) -> int:
        """How many files were read for it."""
        return len(self.prepared_files) + len(self.skipped)

    def texts(self) -> Mapping[int, str]:
        """The texts to embed, by embedding key."""
        return {key: text for prepared in self.prepared_files for key, text in prepared.texts.items()}


@dataclass(slots=True)
class Differences:
    """What can be stored immediately, the files to read, and counts of what a walk saw.

    `touched` are notes whose file has a new time stamp but is skipped for the same reason.
    """

    batch: Batch = field(default_factory=Batch)
    changed: list[FoundFile] = field(default_factory=list)
    hidden: Counter[str] = field(default_factory=Counter)
    touched: dict[str, SkippedFile] = field(default_factory=dict)
    files: int = 0


class Comparison:
    """Compares what is found in one folder with what the catalog has."""

    def __init__(self, root: Path, known: Known) -> None:
        self._root = root
        self._known = known
        self._seen: set[str] = set()
        self.found = Differences()

    def walked(self, item: FoundFile | Skipped, *, force: bool) -> None:
        """Add one item of a walk over the whole folder; with `force` a file always counts as changed."""
        if isinstance(item, FoundFile):
            self._seen.add(item.path)
            if force or not self._unchanged(item):
                self.found.changed.append(item)
        elif item.reason in _BY_RULE:
            self.found.hidden[item.reason] += 1
        else:
            self._seen.add(item.path)
            self.skipped(item)

    def end_walk(self) -> Differences:
        """Mark everything that the walk did not see as removed."""
        batch, known = self.found.batch, self._known
        batch.removed += [path for path in known.files if path not in self._seen]
        batch.unskipped += [path for path in known.notes if path not in self._seen]
        read_again = {file.path for file in self.found.changed}
        kept = self._seen & known.files.keys() - read_again - set(batch.removed)
        self.found.files = len(read_again) + len(kept)
        return self.found

    def reported(self, path: str, ignore: Ignore) -> None:
        """Add a path at which a change was reported."""
        reason = ignore.reason(path) if os.path.exists(self._root / path) else "ignored"
        if reason is None:
            self.found.changed.append(FoundFile(path, 0, 0))
        elif reason in _BY_RULE:
            self.found.batch.removed += [path] if path in self._known.files else []
            self.found.batch.unskipped += [path] if path in self._known.notes else []
        else:
            self.skipped(Skipped(path, reason))

    def skipped(self, item: Skipped) -> None:
        """Add a file that is skipped because of the walk or its content."""
        batch, old = self.found.batch, self._known.notes.get(item.path)
        if item.path in self._known.files:
            batch.removed.append(item.path)
        size, mtime_ns = _size_and_time(self._root / item.path) if item.reason in _BY_CONTENT else (0, 0)
        note = SkippedFile(item.path, item.reason, size, mtime_ns)
        if old is None or old.reason != note.reason:
            batch.skipped.append(note)
        elif old != note:
            self.found.touched[item.path] = note

    def _unchanged(self, item: FoundFile) -> bool:
        file, note = self._known.files.get(item.path), self._known.notes.get(item.path)
        last = file or (note if note and note.reason in _BY_CONTENT else None)
        if last is None or (last.size, last.mtime_ns) != (item.size, item.mtime_ns):
            return False
        # Permissions can change without a new time stamp.
        return os.access(f"{self._root}/{item.path}", os.R_OK)


def _size_and_time(path: Path) -> tuple[int, int]:
    try:
        stat = path.lstat()
    except OSError:
        return 0, 0
    return stat.st_size, stat.st_mtime_ns
