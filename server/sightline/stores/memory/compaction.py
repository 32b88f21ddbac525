"""Releases what a catalog no longer needs: unused terms, free pages, and the space of the log."""

from __future__ import annotations

import numpy as np

from sightline.stores.memory.memory_index import MemoryIndex

# Fewer unused terms than this are not worth a search for them.
_MIN_DEAD_TERMS = 5_000
# A log up to this size is left alone: it would only grow again.
_LOG_BYTES = 1 << 20
# Free pages that are kept for future writes, as a share of all pages and at least this many.
_FREE_SHARE = 0.05
_MIN_FREE_PAGES = 256
# A few megabytes: quick to move, so that a save that arrives meanwhile does not wait.
_PAGES_AT_ONCE = 2_000


def compact(memory: MemoryIndex) -> bool:
    """One compaction step, short enough for an idle moment; returns whether there is more to do."""
    if _prune_terms(memory):
        return True
    catalog = memory.catalog
    pages, free = catalog.pages()
    if free > max(_MIN_FREE_PAGES, pages * _FREE_SHARE) and catalog.release_pages(_PAGES_AT_ONCE):
        return True
    catalog.truncate_log(_LOG_BYTES)
    return False


def _prune_terms(memory: MemoryIndex) -> bool:
    catalog = memory.catalog
    ids = catalog.vocabulary().ids()
    live = int(np.count_nonzero(memory.keywords.frequencies(ids)))
    if len(ids) - live <= max(_MIN_DEAD_TERMS, live):
        return False
    catalog.prune_terms()
    memory.generation = catalog.generation
    return True
