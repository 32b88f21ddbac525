"""The rows of the catalog, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sightline.parsed_file import Chunk, ParseStatus, Symbol

if TYPE_CHECKING:
    # For type names only: parser processes start without numpy.
    from sightline.arrays import TermCounts, TermIds


class FileState(NamedTuple):
    """What the catalog stores about one file on disk."""

    id: int
    path: str
    digest: bytes
    size: int
    mtime_ns: int
    language: str
    parse: ParseStatus
    note: str
    embed_key: int


class ChunkDraft(NamedTuple):
    """A chunk ready to be stored, with its hashes and the words under which it is found."""

    chunk: Chunk
    identity: bytes
    content: int
    embed_key: int
    words: str


class FileDraft(NamedTuple):
    """A file ready to be stored."""

    path: str
    digest: bytes
    size: int
    mtime_ns: int
    language: str
    parse: ParseStatus
    note: str
    embed_key: int
    chunks: tuple[ChunkDraft, ...]
    symbols: tuple[Symbol, ...]
    facts: str = ""


class ChunkRow(NamedTuple):
    """The columns of a stored chunk that every search needs."""

    id: int
    file_id: int
    ordinal: int
    start_line: int
    end_line: int
    kind: str
    symbol: str
    container: str
    defines: bool
    content: int
    embed_key: int
    branches: int


class ChunkDetails(NamedTuple):
    """The columns of a stored chunk that only results need; the digest is that of its file."""

    signature: str
    calls: tuple[str, ...]
    imports: tuple[str, ...]
    digest: bytes


class AddedChunk(NamedTuple):
    """A chunk that was added, with the terms it is indexed under."""

    row: ChunkRow
    term_ids: TermIds
    term_counts: TermCounts


class MovedChunk(NamedTuple):
    """An unchanged chunk that only moved inside its file."""

    id: int
    ordinal: int
    start_line: int
    end_line: int


class RemovedChunk(NamedTuple):
    """A chunk that was removed, with the terms it was indexed under if they are still known."""

    id: int
    embed_key: int = 0
    terms: tuple[TermIds, TermCounts] | None = None


class FileChange(NamedTuple):
    """What storing one file changed, for the structures derived from the catalog."""

    file: FileState
    added: tuple[AddedChunk, ...]
    moved: tuple[MovedChunk, ...]
    removed: tuple[RemovedChunk, ...]
    symbols: tuple[Symbol, ...]
    gone: bool = False


class SkippedFile(NamedTuple):
    """A file that is not indexed, and why; a new size or time means that it must be checked again."""

    path: str
    reason: str
    size: int
    mtime_ns: int
