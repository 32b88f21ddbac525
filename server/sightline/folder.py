"""One folder of a workspace: the public interface of its index."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.embedding import Embedder
from sightline.embedding.model_registry import ModelRegistry
from sightline.embedding.reranker import Reranker
from sightline.history.history import History
from sightline.history.subjects import NOTHING
from sightline.indexing.events import Listener
from sightline.indexing.file_record import language_of
from sightline.indexing.gate import Gate
from sightline.indexing.index_counts import CountsCache, StoredCounts
from sightline.indexing.open_index import OpenIndex
from sightline.indexing.worker import Worker
from sightline.languages.table import Language
from sightline.location import cache_dir
from sightline.settings.tree import Settings
from sightline.sources import RecentTexts, Sources
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import FolderState, FolderStatus

if TYPE_CHECKING:
    from sightline.search.engine import Searcher
    from sightline.search.hierarchy import Hierarchy
    from sightline.search.related import Related
    from sightline.search.symbol_finder import SymbolFinder

# Below this number of chunks the first search takes only a few milliseconds more than the next, so that a
# process that ends after it would lose more by rehearsing.
_REHEARSED_CHUNKS = 50_000


@dataclass(frozen=True)
class Searchers:
    """The searchers of one memory index with one set of settings; relations are created on first use."""

    memory: MemoryIndex
    settings: Settings
    searcher: Searcher
    symbols: SymbolFinder
    embedder: Callable[[], Embedder | None]
    root: str

    @cached_property
    def related(self) -> Related:
        """Finds related code."""
        # Most commands never need it; importing the name resolution takes as long as a search.
        from sightline.relations.world import World
        from sightline.search.related import Related

        return Related(World.of(self.memory), self.embedder, self.root)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """Finds callers and callees."""
        from sightline.relations.world import World
        from sightline.search.hierarchy import Hierarchy

        return Hierarchy(World.of(self.memory), self.root)


class Folder:
    """The index of one root; methods return immediately unless they say otherwise."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        gate: Gate,
        models: ModelRegistry,
        emit: Listener,
        *,
        long_lived: bool = False,
    ) -> None:
        self.root = root
        self.settings = settings
        self._least_rehearsed = 1 if long_lived else _REHEARSED_CHUNKS
        self._worker = Worker(root, settings, gate, models, emit, self._rehearse)
        self.history = History(root)
        self._counts = CountsCache()
        self._recent = RecentTexts()
        self._searchers: Searchers | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Open the index and bring it up to date, in the background."""
        self._worker.start()
        if self.settings.search.history:
            self.history.current()

    def close(self, timeout: float = 5.0) -> None:
        """Stop after the current step, waiting until the timeout at most."""
        self._worker.close(timeout)

    @property
    def memory(self) -> MemoryIndex | None:
        """The index in memory, once it is open."""
        index = self._worker.index
        return index.memory if index else None

    def wait_open(self, timeout: float) -> MemoryIndex | None:
        """The index in memory; waits for it until the timeout at most."""
        self._worker.ready.wait(timeout)
        return self.memory

    def wait_idle(self, timeout: float | None = None) -> bool:
        """Wait until nothing is left to do; False on timeout."""
        return self._worker.jobs.wait_idle(timeout)

    def embedder(self) -> Embedder | None:
        """The model whose vectors queries use now, None while there is none."""
        index = self._worker.index
        return index.vectors.answering if index else None

    def sources(self, unsaved: Mapping[Path, str] | None = None) -> Sources:
        """The files of the folder, with unsaved texts in place of what is on disk."""
        return Sources(self.root, self.settings.indexing.max_file_bytes, unsaved or {}, self._recent)

    def relative(self, path: Path) -> str:
        """A path relative to the folder, as the index stores it."""
        return path.relative_to(self.root).as_posix()

    def language(self, path: str, text: str) -> Language:
        """The language of a file of the folder."""
        return language_of(path, text, self.settings.indexing.languages)

    def searchers(self) -> Searchers | None:
        """The searchers of the current index; None before it is open."""
        memory = self.memory
        if memory is None:
            return None
        with self._lock:
            made = self._searchers
            if made is None or made.memory is not memory or made.settings != self.settings:
                made = self._searchers = self._make_searchers(memory)
            return made

    def changed(self, paths: Iterable[Path]) -> None:
        """Queue paths at which something changed."""
        self._worker.jobs.add(paths)

    def reconcile(self) -> None:
        """Compare the whole folder with the index; continues where `cancel` stopped."""
        self._worker.jobs.add(reconcile=True)

    def reindex(self) -> None:
        """Read every file again, whatever its time stamp says."""
        self._worker.jobs.add(force=True)

    def check(self) -> None:
        """Check the index on disk, because a request could not read it; a damaged one is rebuilt."""
        self._worker.check()

    def clear(self) -> None:
        """Delete the index; reindexing rebuilds it."""
        self._worker.jobs.add(clear=True)

    def cancel(self) -> None:
        """Stop indexing."""
        self._worker.cancel()

    def configure(self, settings: Settings) -> None:
        """Apply new settings; the index is changed accordingly in the background."""
        old, self.settings = self.settings, settings
        self._worker.configure(old, settings)

    @property
    def state(self) -> FolderState:
        """The state of the index, in one word."""
        worker = self._worker
        index = worker.index
        if index is None:
            return "failed" if worker.error else "opening"
        if not worker.jobs.idle or worker.notice:
            return "indexing"
        healthy = worker.complete and not worker.error and not index.vectors.error
        return "ready" if healthy else "degraded"

    @property
    def reason(self) -> str:
        """Why the index is not ready; empty if it is."""
        index = self._worker.index
        return self._worker.error or (index.vectors.error if index else "")

    @property
    def notice(self) -> str:
        """A notice about the index that is not an error."""
        return self._worker.notice

    def progress(self) -> tuple[int, int]:
        """The number of indexed files, and of all files."""
        index = self._worker.index
        if index is None:
            return 0, 0
        done = index.memory.files.live
        return done, max(done, self._worker.files_total)

    def status(self) -> FolderStatus:
        """The current status of the index."""
        try:
            return self._status(self._worker.index)
        except sqlite3.Error:
            # The index was closed or replaced while it was read.
            return self._status(None)

    def _status(self, index: OpenIndex | None) -> FolderStatus:
        done, total = self.progress()
        memory = index.memory if index else None
        counts = self._counts.of(index) if index else StoredCounts()
        return FolderStatus(
            root=str(self.root),
            state=self.state,
            files_indexed=done,
            files_total=total,
            chunks=memory.live if memory else 0,
            chunks_embedded=memory.embedded() if memory else 0,
            generation=memory.generation if memory else 0,
            model=memory.space.model if memory and memory.space else "",
            parse=counts.parse,
            languages=counts.languages,
            skipped={**self._worker.hidden, **counts.skipped},
            disk_bytes=counts.disk_bytes,
            writer=bool(index and index.files.writer),
            last_error=self.reason,
            notes=self._notes(index, counts) if index else (),
        )

    def _rehearse(self) -> None:
        """Make the first searches as fast as later ones, unless there was one already."""
        memory = self.memory
        if memory is None or memory.live < self._least_rehearsed:
            return
        made = self.searchers()
        if made is not None and not made.searcher.used:
            # Imported only here, because indexing does not wait for the search to be imported.
            from sightline.search.rehearsal import rehearse

            rehearse(made.searcher, self.sources().read)

    def _make_searchers(self, memory: MemoryIndex) -> Searchers:
        # Indexing does not wait for the search to be imported.
        from sightline.search.engine import Searcher
        from sightline.search.symbol_finder import SymbolFinder

        root, chosen = str(self.root), self.settings.search
        rerank = None
        if chosen.rerank_model:
            allowed = self.settings.embedding.allow_download
            rerank = Reranker(chosen.rerank_model, cache_dir() / "models", allowed)
        read_history = self.history.current if chosen.history else lambda: NOTHING
        return Searchers(
            memory,
            self.settings,
            Searcher(memory, self.embedder, chosen, root, rerank, read_history),
            SymbolFinder(memory, root),
            self.embedder,
            root,
        )

    def _notes(self, index: OpenIndex, counts: StoredCounts) -> tuple[str, ...]:
        notice = (self.notice,) if self.notice else ()
        latin = counts.not_utf8
        encodings = (f"{latin} files are not UTF-8 and were read as latin-1.",) if latin else ()
        return (*notice, *index.files.notes, *encodings)
