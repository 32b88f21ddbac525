"""Vectors in Chroma: a copy written in the background, or the store to search if memory cannot hold them."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from xxhash import xxh3_64_hexdigest

from sightline.indexing.events import Level
from sightline.indexing.index_files import IndexFiles
from sightline.settings.tree import Settings
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.vectors.approximate import Approximate
from sightline.stores.vectors.chroma_writer import ChromaWriter
from sightline.stores.vectors.matrix import Matrix
from sightline.stores.vectors.vector_space import VectorSpace

_FOLDER = "chroma"
# The catalog key of the newest chunk in the copy and of the model of its vectors.
_MARK = "chroma"
# The minimum number of new chunks to start Chroma for; fewer can wait, nothing reads the copy meanwhile.
_WORTH_WRITING = 500
# Vectors that Chroma lacks are read from disk for every query; above this number, queries use memory until
# Chroma has them.
_MOST_MISSING = 20_000
# Half a million vectors take minutes on a busy machine.
_SYNC_SECONDS = 3600.0
_CLOSE_SECONDS = 1.0


class _Copy:
    """One run that writes Chroma's copy of the vectors, on a thread."""

    def __init__(self, writer: ChromaWriter, catalog: Catalog, mark: str) -> None:
        self._writer = writer
        self._catalog = catalog
        self._mark = mark
        self._complete = False
        self._thread = threading.Thread(target=self._run, name="sightline-copy", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._thread.is_alive()

    def record(self, catalog: Catalog) -> None:
        """Record a complete copy of this catalog in it; only the worker's thread writes to the catalog."""
        if self._complete and self._catalog is catalog:
            catalog.set_meta(_MARK, self._mark)

    def close(self) -> None:
        """Stop writing."""
        self._writer.close(timeout=_CLOSE_SECONDS)

    def _run(self) -> None:
        self._writer.start()
        self._complete = self._writer.drain(_SYNC_SECONDS)
        self._writer.close()


class VectorBackend:
    """Decides where vectors are searched, and maintains Chroma's copy of them."""

    def __init__(
        self, root: Path, files: IndexFiles, settings: Settings, notify: Callable[[Level, str], None]
    ) -> None:
        self._root = root
        self._files = files
        self.settings = settings
        self._notify = notify
        self._chroma_writer: ChromaWriter | None = None
        self._copy: _Copy | None = None

    def space(self, memory: MemoryIndex, model: str, dim: int) -> VectorSpace:
        """A vector space for a model: exact in memory, or through Chroma above the limit or with a server.

        It contains the memory index's vectors of this model, and is empty if there are none. Chroma is used
        after `start`.
        """
        self.close()
        chunks, files = _matrices(memory, model, dim)
        if not self.settings.store.url and not self._too_many(memory, model):
            return VectorSpace(model, dim, chunks, files)
        self._chroma_writer = self._writer(memory, model, dim)
        return VectorSpace(model, dim, chunks, files, Approximate(chunks, memory.keys, self._chroma_writer))

    def start(self) -> None:
        """Compare Chroma with the memory index, which has its vectors now, and use it for queries."""
        if self._chroma_writer:
            self._chroma_writer.start()

    def should_use_chroma(self, memory: MemoryIndex) -> bool:
        """Whether to switch queries to Chroma: the vectors are too many for memory, and Chroma has them."""
        return (
            self._chroma_writer is None
            and memory.space is not None
            and self._too_many(memory, memory.space.model)
        )

    @property
    def copying(self) -> bool:
        """Whether a copy is running, or has ended and was not yet checked."""
        return self._copy is not None

    def _too_many(self, memory: MemoryIndex, model: str) -> bool:
        # Only one process can use Chroma's folder, so a second window keeps searching in memory.
        above = memory.live > self.settings.search.exact_limit
        return above and self._files.writer and self._missing_count(memory.catalog, model) <= _MOST_MISSING

    def _missing_count(self, catalog: Catalog, model: str) -> int:
        """How many chunks are newer than Chroma's copy of this model's vectors."""
        newest, _, copied = (catalog.meta(_MARK) or "").partition(" ")
        return catalog.newest_chunk() - (int(newest) if copied == model else 0)

    def added(self, memory: MemoryIndex, keys: Sequence[int]) -> None:
        """Queue new vectors for Chroma; those of whole files are kept in memory only."""
        if self._chroma_writer:
            self._chroma_writer.enqueue(add=memory.keys_in_use(keys))

    def removed(self, keys: set[int]) -> None:
        """Queue the removal of vectors that are no longer needed."""
        if keys and self._chroma_writer:
            self._chroma_writer.enqueue(remove=keys)

    def copy_when_due(self, memory: MemoryIndex) -> None:
        """Write Chroma's copy in the background if there are enough new chunks since the last time."""
        if self._copy is not None:
            # A failed copy is retried after the next change, not immediately and forever.
            if not self._copy.running:
                self._copy.record(memory.catalog)
                self._copy = None
            return
        space, newest = memory.space, memory.catalog.newest_chunk()
        wanted = self.settings.store.persist_vectors or memory.live > self.settings.search.exact_limit
        if self._chroma_writer or space is None or not wanted:
            return
        if self._missing_count(memory.catalog, space.model) < max(1, min(_WORTH_WRITING, newest)):
            return
        writer = self._writer(memory, space.model, space.dim)
        self._copy = _Copy(writer, memory.catalog, f"{newest} {space.model}")

    def close(self) -> None:
        """Close Chroma; the next start detects an incomplete copy."""
        if self._chroma_writer:
            self._chroma_writer.close(timeout=_CLOSE_SECONDS)
        if self._copy:
            self._copy.close()
        self._chroma_writer = None

    def _writer(self, memory: MemoryIndex, model: str, dim: int) -> ChromaWriter:
        url = self.settings.store.url
        name = re.sub(r"[^A-Za-z0-9_-]", "_", self._root.name)[:40].strip("_-") or "root"
        collection = f"sightline-{name}-{xxh3_64_hexdigest(model.encode())}"
        place = url or self._files.directory / _FOLDER
        return ChromaWriter(place, collection, dim, memory, lambda notice: self._notify("warning", notice))


def _matrices(memory: MemoryIndex, model: str, dim: int) -> tuple[Matrix, Matrix]:
    """A memory index's matrices of chunk and file vectors of a model, or empty ones."""
    space = memory.space
    if space is not None and (space.model, space.dim) == (model, dim):
        return space.chunks, space.files
    # Reserve extra rows; otherwise the first save would copy all vectors.
    return Matrix(dim, memory.rows.size + memory.rows.size // 4), Matrix(dim)
