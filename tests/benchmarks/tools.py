"""The tools that are compared, each behind the same four questions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

from tests.benchmarks.ranking import others
from tests.benchmarks.ranking.metrics import DEPTH
from tests.benchmarks.ranking.tasks import Place


class Tool(Protocol):
    """One open repository; making it builds the index, or loads the one that is there."""

    def __init__(self, root: Path, scratch: Path) -> None:
        """Open a repository; everything kept is kept in the scratch folder."""

    def search(self, query: str) -> list[Place]:
        """The first ten places."""

    def saved(self, path: Path) -> None:
        """Learn that a file changed, as a user of the tool would have it learn."""

    def close(self) -> None:
        """Keep the index and let go."""


class Sightline:
    """This project, through what its server uses."""

    def __init__(self, root: Path, scratch: Path) -> None:
        os.environ["SIGHTLINE_CACHE_DIR"] = str(scratch / "sightline")
        from sightline.types import SearchRequest
        from sightline.workspace import Workspace

        self._request = SearchRequest
        self._workspace = Workspace()
        self._folder = self._workspace.add_folder(root, {"search": {"cache_ttl_hours": 0}})
        self._folder.wait_idle()

    def search(self, query: str) -> list[Place]:
        """A hybrid search, snippets included."""
        hits = self._workspace.search(self._request(query, limit=DEPTH)).hits
        return [Place(hit.path, hit.start_line + 1, hit.end_line + 1) for hit in hits]

    def saved(self, path: Path) -> None:
        """The event of a save."""
        self._workspace.changed([path])

    def close(self) -> None:
        """Close the workspace."""
        self._workspace.close(60)


class Semble:
    """semble with the same static model; it has no event of a save and looks at the folder again."""

    def __init__(self, root: Path, scratch: Path) -> None:
        os.environ["SEMBLE_CACHE_LOCATION"] = str(scratch / "semble")
        self._root, self._model = root, others.semble_model(scratch / "model")
        self._load()

    def _load(self) -> None:
        from semble import SembleIndex
        from semble.cache import save_index_to_cache

        self._index: Any = SembleIndex.from_path(self._root, model_path=self._model)
        save_index_to_cache(self._index, str(self._root))

    def search(self, query: str) -> list[Place]:
        """Its hybrid search."""
        chunks = [result.chunk for result in self._index.search(query, top_k=DEPTH)]
        return [Place(chunk.file_path, chunk.start_line, chunk.end_line) for chunk in chunks]

    def saved(self, path: Path) -> None:
        """What every command of it does first: compare the folder with the cache, and update that."""
        self._load()

    def close(self) -> None:
        """Nothing is open."""


class Ripgrep:
    """The floor; it reads the files anew each time."""

    def __init__(self, root: Path, scratch: Path) -> None:
        self._ripgrep = others.Ripgrep(root, scratch)

    def search(self, query: str) -> list[Place]:
        """The files with most words of the query."""
        return self._ripgrep.search(query, DEPTH, one_per_file=True)

    def saved(self, path: Path) -> None:
        """There is nothing to learn."""

    def close(self) -> None:
        """Nothing is open."""


TOOLS: dict[str, type[Tool]] = {"sightline": Sightline, "semble": Semble, "ripgrep": Ripgrep}


def installed(name: str) -> bool:
    """Whether a tool can be run here."""
    return {"semble": others.Semble.installed, "ripgrep": others.Ripgrep.installed}.get(name, lambda: True)()
