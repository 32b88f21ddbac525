"""Maintenance of an index while its worker is idle."""

from __future__ import annotations

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


def maintain(updater: Updater) -> bool:
    """Keep the index of a writer small and fast to open; return whether all of it is done."""
    index = updater.index
    updater.flush()
    if index.vectors.queue:
        index.vectors.queue.prune()
    index.backend.copy_when_due(index.memory)
    index.use_chroma_when_due()
    if index.memory.dead_rows() > max(_MIN_DEAD_ROWS, index.memory.live):
        index.rebuild()
    if is_outdated(index.memory, _SNAPSHOT_ROWS, _SNAPSHOT_SHARE):
        index.save()
    return not compact(index.memory)


def finish(updater: Updater) -> None:
    """Write what is still unwritten at shutdown; OSError or sqlite3.Error if that is not possible."""
    updater.flush()
    if is_outdated(updater.index.memory, 0, _FINAL_SHARE):
        updater.index.save()
        while compact(updater.index.memory):
            pass
