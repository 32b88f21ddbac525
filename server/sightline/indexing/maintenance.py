"""Maintenance of an index while its worker is idle."""

from __future__ import annotations

from sightline.indexing.open_index import OpenIndex
from sightline.indexing.updater import Updater
from sightline.stores.memory.compaction import compact
from sightline.stores.memory.image import is_outdated

# A snapshot is rewritten after this many new chunks, or this share of all chunks.
_SNAPSHOT_ROWS = 500
_SNAPSHOT_SHARE = 0.05
# The same at the end of a session, when no one is waiting.
_FINAL_SHARE = 0.01
# Fewer dead rows than this are not worth rebuilding the memory index.
_MIN_DEAD_ROWS = 20_000


class Maintenance:
    """Keeps the index of a writer small and fast to open."""

    def __init__(self, updater: Updater) -> None:
        self._updater = updater

    @property
    def index(self) -> OpenIndex:
        """The index that is maintained."""
        return self._updater.index

    @property
    def copying(self) -> bool:
        """Whether Chroma's copy of the vectors is being written."""
        return self.index.backend.copying

    def step(self) -> bool:
        """Do what is due; return whether all of it is done."""
        index = self.index
        self._updater.flush()
        index.vectors.prune()
        index.backend.copy_when_due(index.memory)
        index.use_chroma_when_due()
        if index.memory.dead_rows() > max(_MIN_DEAD_ROWS, index.memory.live):
            index.rebuild()
        if is_outdated(index.memory, _SNAPSHOT_ROWS, _SNAPSHOT_SHARE):
            index.save()
        return not compact(index.memory)

    def finish(self) -> None:
        """Write what is still unwritten at shutdown; OSError or sqlite3.Error if that is not possible."""
        self._updater.flush()
        if is_outdated(self.index.memory, 0, _FINAL_SHARE):
            self.index.save()
