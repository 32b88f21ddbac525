"""The rows of the catalog, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sightline.types import Chunk, ParseStatus, Symbol

if TYPE_CHECKING:
    # For type names only: parser processes start without numpy.
    from sightline.arrays import TermCounts, TermIds


@dataclass(frozen=True, slots=True)
class FileState:
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


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk ready to be stored, with its hashes and the words under which it is found."""

    chunk: Chunk
    identity: bytes
    content: int
    embed_key: int
    words: str


@dataclass(frozen=True, slots=True)
class FileDraft:
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


@dataclass(frozen=True, slots=True)
class ChunkRow:
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


@dataclass(frozen=True, slots=True)
class ChunkDetails:
    """The columns of a stored chunk that only results need; the digest is that of its file."""

    signature: str
    calls: tuple[str, ...]
    imports: tuple[str, ...]
    digest: bytes


@dataclass(frozen=True, slots=True)
class AddedChunk:
    """A chunk that was added, with the terms it is indexed under."""

    row: ChunkRow
    term_ids: TermIds
    term_counts: TermCounts


@dataclass(frozen=True, slots=True)
class MovedChunk:
    """An unchanged chunk that only moved inside its file."""

    id: int
    ordinal: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class RemovedChunk:
    """A chunk that was removed, with the terms it was indexed under if they are still known."""

    id: int
    embed_key: int = 0
    terms: tuple[TermIds, TermCounts] | None = None


@dataclass(frozen=True, slots=True)
class FileChange:
    """What storing one file changed, for the structures derived from the catalog."""

    file: FileState
    added: tuple[AddedChunk, ...]
    moved: tuple[MovedChunk, ...]
    removed: tuple[RemovedChunk, ...]
    symbols: tuple[Symbol, ...]
    gone: bool = False


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that is not indexed, and why; a new size or time means that it must be checked again."""

    path: str
    reason: str
    size: int
    mtime_ns: int
