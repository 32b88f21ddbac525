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

    def follow(self) -> bool:
        """Read what is new; return whether there was anything."""
        index = self.index
        if self.stale or index.replaced:
            index.reload()
            self.stale = False
        elif not follow(index.memory):
            return False
        index.vectors.ready(block=True)
        index.vectors.refresh()
        return True
