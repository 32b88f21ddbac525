"""A tree with its index, which the work folder caches until the indexing code changes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import sightline
from sightline.arrays import Floats
from sightline.history.history import History
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.workspace import Workspace

_INDEX_SECONDS = 1800.0
# The code that determines the content of an index; other changes to the package need no reindexing.
_INDEXED_BY = ("embedding", "indexing", "languages", "stores", "passage.py", "words.py")


class IndexedTree:
    """An open, completely indexed tree."""

    def __init__(self, root: Path, work: Path, settings: Mapping[str, object] | None = None) -> None:
        os.environ["SIGHTLINE_CACHE_DIR"] = str(work / f"index-{_indexing_code()}")
        self.root = root.resolve()
        self.workspace = Workspace()
        self._folder = self.workspace.add_folder(root, _editor(settings or {}))
        self._wait()

    @property
    def memory(self) -> MemoryIndex:
        """The index in memory."""
        assert self._folder.memory is not None
        return self._folder.memory

    def embed_query(self, text: str) -> Floats | None:
        """The vector of a query."""
        embedder = self._folder.embedder()
        return embedder.embed_query(text) if embedder else None

    def configure(self, settings: Mapping[str, object]) -> None:
        """Use other settings for the following searches."""
        self.workspace.configure(_editor(settings))

    def use_history(self, history: History) -> None:
        """Use this history from the next `configure` on."""
        self._folder.history = history

    def reconcile(self) -> None:
        """Reconcile the index with the tree."""
        self.workspace.reconcile()
        self._wait()

    def close(self) -> None:
        """Close the workspace; the index stays."""
        self.workspace.close(60)

    def _wait(self) -> None:
        if not self.workspace.wait_idle(_INDEX_SECONDS):
            raise SystemExit(f"{self.root} was not indexed within {_INDEX_SECONDS:.0f} s")


def _editor(settings: Mapping[str, object]) -> dict[str, object]:
    """The settings as an editor would send them, with the answer cache off."""
    return {"search": {"cache_ttl_hours": 0, **settings}}


def _indexing_code() -> str:
    """A digest of the indexing code; an index built by other code is not reused."""
    package = Path(sightline.__file__).parent
    files = (path for name in _INDEXED_BY for path in [package / name, *(package / name).rglob("*")])
    found = hashlib.blake2b(digest_size=4)
    for path in sorted(path for path in files if path.is_file() and path.suffix != ".pyc"):
        found.update(path.read_bytes())
    return found.hexdigest()
