"""A folder's open index: catalog, memory, vectors and lock, complete by construction."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sightline.embedding import PACKAGED, Embedder
from sightline.embedding.sharing import ProcessService, Shared, request_check
from sightline.file_identity import file_identity
from sightline.indexing.differences import Batch
from sightline.indexing.events import Level, Listener
from sightline.indexing.gate import Gate
from sightline.indexing.index_files import IndexFiles, Stores
from sightline.indexing.index_vectors import IndexVectors
from sightline.indexing.vector_backend import VectorBackend
from sightline.processes.freed_memory import release_freed_memory
from sightline.settings.tree import Settings
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.coverage import IndexCoverage, read_coverage, write_coverage
from sightline.stores.catalog.records import FileChange
from sightline.stores.memory.image import is_damaged, newest_image, save_image
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.restore import load_memory

log = logging.getLogger(__name__)

LoadModel = Callable[[], Embedder]


class IndexContext(NamedTuple):
    """What the index of a root depends on and reports to."""

    root: Path
    gate: Gate
    stop: threading.Event
    emit: Listener
    notify: Callable[[Level, str], None]


class OpenIndex:
    """The only owner of a folder's stores; every method must run on the folder's worker thread.

    An `Updater` or a `Follower` uses it: the process that holds the lock writes, any other process follows.
    """

    def __init__(
        self, context: IndexContext, settings: Settings, files: IndexFiles, stores: Stores, load: LoadModel
    ) -> None:
        self.files = files
        self.settings = settings
        self.backend = VectorBackend(context.root, files, settings, context.notify)
        self.vectors = IndexVectors(stores.memory, load, self.backend)
        self._stores = stores
        self._service: ProcessService | None = None

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
        """Whether the catalog's file was deleted or replaced, so that no process will read this one."""
        return file_identity(self.files.catalog) != self._stores.identity

    @property
    def newest_snapshot(self) -> Path | None:
        """The snapshot that the writer wrote last."""
        return newest_image(self.files.directory)

    @property
    def coverage(self) -> IndexCoverage:
        """How much of the folder the writer has indexed."""
        return read_coverage(self.catalog)

    @property
    def differs(self) -> bool:
        """Whether the memory index differs from the catalog.

        A failure may have occurred between storing a change and applying it, or the snapshot may be damaged.
        """
        return self.memory.generation != self.catalog.generation or is_damaged(self.memory)

    def configure(self, settings: Settings) -> None:
        """Use new settings; what they change about the stores is done by `change_stores`."""
        self.settings = self.backend.settings = settings

    def change_stores(self, load: LoadModel) -> None:
        """Switch to the model and the store of the settings."""
        self.backend.close()
        self.vectors.change_model(load)

    def commit(self, batch: Batch, coverage: IndexCoverage | None, flush: Callable[[], None]) -> None:
        """Store a batch: one transaction in the catalog, then the same changes in memory and in the vectors.

        `flush` writes what else is pending; `coverage` is recorded during a walk.
        """
        with self.catalog.writing():
            flush()
            changes = list(self._changes(batch))
            self.catalog.drop_skipped(batch.unskipped)
            self.catalog.add_skipped(batch.skipped)
            if coverage is not None:
                write_coverage(self.catalog, coverage)
        self.memory.apply(changes, self.catalog.generation)
        gone = {chunk.embed_key for change in changes for chunk in change.removed}
        self.backend.removed(gone - self.memory.keys_in_use(gone))

    def rebuild(self) -> None:
        """Rebuild the memory index from the catalog; searches use the old one meanwhile."""
        self._exchange(Stores(self.catalog, load_memory(self.catalog, None), self._stores.identity))
        self.save()

    def reload(self) -> None:
        """Reload everything from the catalog that is in place now."""
        self.vectors.loaded(block=True)
        self._exchange(self.files.load())

    def use_chroma_when_due(self) -> None:
        """Search the vectors in Chroma if they are too many for memory, once Chroma has them."""
        if self.backend.should_use_chroma(self.memory):
            self.vectors.refill()

    def save(self) -> None:
        """Write the snapshot that makes the next start fast.

        With the packaged model it is the copy of the vectors on disk: the catalog has only newer ones.
        """
        saved, queue = save_image(self.memory, self.files.directory), self.vectors.queue
        if saved and queue and self.settings.embedding.model == PACKAGED:
            queue.drop_stored()
        # The memory needed to build it is free now; it is most of what this process has ever allocated.
        self.catalog.shrink_cache()
        release_freed_memory()

    def close_stores(self) -> None:
        """Close the files; the lock is not released."""
        if self._service:
            self._service.close()
        self.vectors.close()
        self.backend.close()
        self.catalog.close()

    def _changes(self, batch: Batch) -> Iterator[FileChange]:
        for path in batch.removed:
            change = self.catalog.remove(path)
            if change:
                yield change
        yield from self.catalog.store([prepared.draft for prepared in batch.prepared_files])

    def _exchange(self, stores: Stores) -> None:
        """Switch searches to another memory index, once it has its vectors."""
        old = self.catalog
        self.vectors.move(stores.memory)
        self._stores = stores
        if stores.catalog is not old:
            old.close()

    def serve_processes(self, check: Callable[[], None]) -> None:
        """Let other processes that use this index share the model loaded here, and request a check."""
        if self._service:
            return
        try:
            self._service = ProcessService(self.files.socket, self._shared, check)
        except OSError as error:
            # Other processes then load the model themselves.
            log.info("cannot create the socket for other processes: %s", error)

    def request_check(self) -> None:
        """Ask the writer, another process, to check the index on disk."""
        request_check(self.files.socket)

    def _shared(self, model: str, query: str | None) -> Shared | None:
        queue = self.vectors.queue
        if queue is None or model != self.settings.embedding.model:
            return None
        embedder = queue.embedder
        return Shared(embedder.id, embedder.dim, None if query is None else embedder.embed_query(query))
