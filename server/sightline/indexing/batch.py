"""What is written to the index in one commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sightline.indexing.file_record import PreparedFile
from sightline.stores.catalog.records import SkippedFile


@dataclass(slots=True)
class Batch:
    """Files to store and to remove, and notes about skipped files."""

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
