"""Converts a client's position to a file, a line and a code-point column."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.errors import InvalidRequest
from sightline.indexing.content import Content, read
from sightline.lsp.positions import Encoding, LineTable, from_client

if TYPE_CHECKING:
    from sightline.lsp.session import Session

# Only columns need the text, and no line that a user points at is further down in a file.
_MOST_BYTES = 1 << 24


@dataclass(frozen=True, slots=True)
class Document:
    """A file, the workspace folder that contains it, if any, and its text if the client has it open."""

    root: Path | None
    path: Path
    text: str | None

    def lines(self) -> LineTable:
        """The lines as the client sees them; reads the disk for a closed file, so not on the event loop."""
        if self.text is not None:
            return LineTable(self.text)
        return LineTable(read_text(self.root, self.path.relative_to(self.root)) if self.root else "")


def document(session: Session, uri: str) -> Document:
    """The file of a URI; raises InvalidRequest if there is none."""
    path = session.roots.locate(uri)
    if path is None:
        raise InvalidRequest(f"{uri!r} is not a file on this machine")
    return Document(session.roots.holding(path), path, session.documents.text(uri))


def column(lines: LineTable, line: int, character: int, encoding: Encoding) -> int | None:
    """The code-point column of a position, or None when the document has no such line."""
    return from_client(lines.line(line), character, encoding) if line < len(lines) else None


def read_text(root: Path, path: Path) -> str:
    """The start of a file of a folder as text; one that cannot be read is empty."""
    content = read(root, path.as_posix(), _MOST_BYTES)
    return content.text if isinstance(content, Content) else ""
