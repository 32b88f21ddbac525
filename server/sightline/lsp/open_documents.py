"""The documents open in the client: their text overrides the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from sightline.lsp.positions import Encoding, LineTable
from sightline.requests.characters import whole_characters


@dataclass(frozen=True, slots=True)
class Change:
    """One content change; no range means the text is the whole document."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


@dataclass(slots=True)
class _Document:
    text: str
    path: Path | None


class Documents:
    """Open documents by URI, however the client percent-encodes it."""

    def __init__(self) -> None:
        """Start with nothing open."""
        self._open: dict[str, _Document] = {}

    def open(self, uri: str, text: str, path: Path | None) -> None:
        """Store the text of a document; a second open replaces the first."""
        self._open[unquote(uri)] = _Document(whole_characters(text), path)

    def change(self, uri: str, changes: Sequence[Change], encoding: Encoding) -> None:
        """Apply edits in order; ignores edits of a document that is not open."""
        document = self._open.get(unquote(uri))
        if document is None:
            return
        for change in changes:
            document.text = _apply(document.text, change, encoding)

    def close(self, uri: str) -> None:
        """Drop the text; the disk has the current one again."""
        self._open.pop(unquote(uri), None)

    def text(self, uri: str) -> str | None:
        """The text of an open document, or None if it is not open."""
        document = self._open.get(unquote(uri))
        return None if document is None else document.text

    def overlays(self) -> Mapping[Path, str]:
        """A snapshot of the texts of all open documents that are files."""
        return {doc.path: doc.text for doc in self._open.values() if doc.path is not None}


def _apply(text: str, change: Change, encoding: Encoding) -> str:
    new = whole_characters(change.text)
    if change.start is None or change.end is None:
        return new
    table = LineTable(text)
    start = table.offset(*change.start, encoding)
    end = table.offset(*change.end, encoding)
    return text[:start] + new + text[max(start, end) :]
