"""The files of one folder as the user sees them: unsaved text first, else what is on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sightline.indexing.content import Content, digest_of, read
from sightline.types import Source


@dataclass(frozen=True, slots=True)
class Sources:
    """What one request reads; `unsaved` are the texts an editor has, by path."""

    root: Path
    max_bytes: int
    unsaved: Mapping[Path, str] = field(default_factory=dict)

    def read(self, path: str) -> Source | None:
        """The text of a file from the editor, else from disk."""
        text = self.unsaved.get(self.root / path)
        if text is not None:
            return Source(text, digest_of(text))
        content = read(self.root, path, self.max_bytes)
        return Source(content.text, content.digest) if isinstance(content, Content) else None
