"""A folder's open index: catalog, memory and vectors together, written by this process or by another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sightline.embedding import Embedder
from sightline.indexing.embedding_queue import EmbeddingQueue
from sightline.indexing.gate import Gate
from sightline.indexing.index_files import IndexFiles, Stores
from sightline.indexing.index_progress import IndexProgress
from sightline.indexing.updater import Updater
from sightline.indexing.vector_backend import VectorBackend
from sightline.settings.tree import Settings
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.coverage import IndexCoverage, read_coverage
from sightline.stores.catalog.file_identity import file_identity
from sightline.stores.memory.compaction import compact
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.replication import follow
from sightline.stores.memory.restore import load_memory, save_snapshot
from sightline.stores.vectors.vector_space import VectorSpace

# A snapshot is written again when so many chunks came in since, or this share of all; less is caught up.
_SNAPSHOT_ROWS = 2000
_SNAPSHOT_SHARE = 0.1
# Fewer dead rows than this are not worth building the memory index again.
_MIN_DEAD_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class IndexContext:
    """What the index of a root works with and reports to."""

    root: Path
    gate: Gate
    stop: threading.Event
    report: Callable[[IndexProgress], None]
    notify: Callable[[str, str], None]


class OpenIndex:
    """Complete from the start; every method belongs to the folder's one worker thread."""

    def __init__(
        self,
        context: IndexContext,
        settings: Settings,
        files: IndexFiles,
        stores: Stores,
        load: Callable[[], Embedder],
    ) -> None:
        self.files = files
        self._context = context
        self._settings = settings
        self._stores = stores
        self._snapshot_rows = stores.memory.rows.size
        self._vector_backend = VectorBackend(context.root, files, settings, context.notify)
        self.vectors = EmbeddingQueue(stores.memory, load, self._new_space)
        self.vectors.on_made = self._added
        self.updater = self._new_updater() if files.writer else None
        # Whether reading what another process wrote failed half-way.
        self.stale = False

    @property
    def memory(self) -> MemoryIndex:
        """The index in memory."""
        return self._stores.memory

    @property
    def catalog(self) -> Catalog:
        """The index on disk."""
        return self._stores.catalog

    @property
    def replaced(self) -> bool:
        """Whether the catalog's file is gone, or another one is in its place: nobody will read this one."""
        return file_identity(self.files.catalog) != self._stores.identity

    @property
    def coverage(self) -> IndexCoverage:
        """How far the process that writes the index has come."""
        return read_coverage(self.catalog)

    @property
    def copying(self) -> bool:
        """Whether Chroma's copy of the vectors is being written."""
        return self._vector_backend.copying

    def configure(self, settings: Settings) -> None:
        """Take new settings; what they change about the stores is done by `change_stores`."""
        self._settings = self._vector_backend.settings = settings
        if self.updater:
            self.updater.settings = settings

    def change_stores(self, load: Callable[[], Embedder]) -> None:
        """Use the model and the store of the settings from now on."""
        self._vector_backend.close()
        self._vector_backend = VectorBackend(
            self._context.root, self.files, self._settings, self._context.notify
        )
        self.vectors.change_model(load)

    def follow(self) -> bool:
        """Read what another process wrote; whether there was anything."""
        if self.stale or self.replaced:
            self._reload()
        elif not follow(self.memory):
            return False
        self.vectors.ready(block=True)
        self.vectors.refresh()
        return True

    def take_over(self) -> None:
        """The lock is ours: begin with what is in the catalog, as its writer."""
        self._reload()
        self.updater = self._new_updater()

    def rebuild(self) -> None:
        """Build the memory index again from the catalog; searches go on in the old one meanwhile."""
        self._exchange(Stores(self.catalog, load_memory(self.catalog, None), self._stores.identity))
        self.save()

    def move_to_chroma_when_due(self) -> None:
        """Leave vectors that are too many for memory to Chroma, once it has them."""
        if self._vector_backend.should_use_chroma(self.memory):
            self.vectors.refill()

    def maintain(self, updater: Updater) -> bool:
        """What is worth doing when nothing else is to be done; whether all of it is done."""
        updater.flush()
        self.vectors.prune()
        self._vector_backend.copy_when_due(self.memory)
        self.move_to_chroma_when_due()
        if self.memory.dead_rows() > max(_MIN_DEAD_ROWS, self.memory.live):
            self.rebuild()
        grown = self.memory.rows.size - self._snapshot_rows
        if grown > max(_SNAPSHOT_ROWS, self.memory.live * _SNAPSHOT_SHARE):
            self.save()
        return not compact(self.memory)

    def save(self) -> None:
        """Write the snapshot that makes the next start quick."""
        save_snapshot(self.memory, self.files.directory)
        self._snapshot_rows = self.memory.rows.size

    def write_back(self) -> None:
        """Write down at the end what was not yet; OSError or sqlite3.Error if that is not possible."""
        if self.updater and self.memory.rows.size != self._snapshot_rows:
            self.updater.flush()
            self.save()

    def close_stores(self) -> None:
        """Close the files; the lock stays as it is."""
        self.vectors.close()
        self._vector_backend.close()
        self.catalog.close()

    def _reload(self) -> None:
        self.vectors.ready(block=True)
        self._exchange(self.files.load())
        self.stale = False

    def _exchange(self, stores: Stores) -> None:
        """Answer from another memory index, once it has its vectors."""
        old, updater = self.catalog, self.updater
        self.vectors.move(stores.memory)
        self._stores = stores
        if updater:
            updater.memory = stores.memory
        if stores.catalog is not old:
            old.close()

    def _new_updater(self) -> Updater:
        context = self._context
        updater = Updater(
            context.root,
            self._settings,
            self.memory,
            self.vectors,
            context.gate,
            context.stop,
            context.report,
        )
        updater.on_removed = self._removed
        return updater

    def _new_space(self, memory: MemoryIndex, model: str, dim: int) -> VectorSpace:
        return self._vector_backend.space(memory, model, dim)

    def _added(self, memory: MemoryIndex, keys: Sequence[int]) -> None:
        self._vector_backend.added(memory, keys)

    def _removed(self, keys: set[int]) -> None:
        self._vector_backend.removed(keys)
