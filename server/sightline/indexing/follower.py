"""The reading side of an index that another process writes."""

from __future__ import annotations

from sightline.indexing.open_index import OpenIndex
from sightline.stores.memory.replication import follow


class Follower:
    """Reads what another process wrote; every method must run on the folder's worker thread."""

    def __init__(self, index: OpenIndex) -> None:
        self.index = index
        # Whether the last read failed half-way, so that the next one starts over.
        self.stale = False
        self._snapshot = index.memory.saved.path

    def follow(self) -> bool:
        """Read what is new; return whether there was anything."""
        index, snapshot = self.index, self.index.newest_snapshot
        # Vectors that the writer has put into a snapshot are not in the catalog any more. Each file is tried
        # once: one that cannot be used would be loaded every second.
        if self.stale or index.replaced or snapshot != self._snapshot:
            self._snapshot = snapshot
            index.reload()
            self.stale = False
        elif not follow(index.memory):
            return False
        if queue := index.vectors.loaded(block=True):
            queue.refresh()
        return True
