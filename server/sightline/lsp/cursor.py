"""Converts a client's position to a file, a line and a code-point column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sightline.errors import InvalidRequest
from sightline.indexing.content import Content, read
from sightline.lsp.positions import LineTable, from_client

if TYPE_CHECKING:
    from sightline.lsp.session import Cancelled, Session
    from sightline.workspace import Workspace

T = TypeVar("T")

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


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a file, and the file's text if the client has it open."""

    path: Path
    line: int
    column: int
    text: str | None


async def ask_at(
    session: Session,
    uri: str,
    line: int,
    character: int,
    work: Callable[[Workspace, Cursor, Cancelled], T],
    *,
    fast: bool = False,
) -> T | None:
    """Run work about a client's position on a thread; None if the document has no such line."""
    asked, encoding = document(session, uri), session.encoding

    def at_cursor(workspace: Workspace, cancelled: Cancelled) -> T | None:
        lines = asked.lines()
        if line >= len(lines):
            return None
        column = from_client(lines.line(line), character, encoding)
        return work(workspace, Cursor(asked.path, line, column, asked.text), cancelled)

    return await session.ask(at_cursor, fast)


def read_text(root: Path, path: Path) -> str:
    """The start of a file of a folder as text; one that cannot be read is empty."""
    content = read(root, path.as_posix(), _MOST_BYTES)
    return content.text if isinstance(content, Content) else ""
