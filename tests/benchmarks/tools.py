"""The tools that are compared, each behind the same interface."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

from tests.benchmarks.ranking import others
from tests.benchmarks.ranking.metrics import DEPTH
from tests.benchmarks.ranking.tasks import Place


class Tool(Protocol):
    """One open repository; the constructor builds the index or loads an existing one."""

    def __init__(self, root: Path, scratch: Path) -> None:
        """Open a repository; all stored files go into the scratch folder."""

    def search(self, query: str) -> list[Place]:
        """The first ten places."""

    def saved(self, path: Path) -> None:
        """Process a saved file in the way the tool normally does."""

    def close(self) -> None:
        """Store the index and release the repository."""


class Sightline:
    """This project, through the API that its server uses."""

    def __init__(self, root: Path, scratch: Path) -> None:
        os.environ["SIGHTLINE_CACHE_DIR"] = str(scratch / "sightline")
        from sightline.interpreter import tune_interpreter
        from sightline.types import SearchRequest
        from sightline.workspace import Workspace

        # As the server and the command line do.
        tune_interpreter()
        self._request = SearchRequest
        self._workspace = Workspace(long_lived=True)
        self._folder = self._workspace.add_folder(root, {"search": {"cache_ttl_hours": 0}})
        self._folder.wait_idle()

    def search(self, query: str) -> list[Place]:
        """A hybrid search, snippets included."""
        hits = self._workspace.search(self._request(query, limit=DEPTH)).hits
        return [Place(hit.path, hit.start_line + 1, hit.end_line + 1) for hit in hits]

    def saved(self, path: Path) -> None:
        """Report the changed file."""
        self._workspace.changed([path])

    def close(self) -> None:
        """Close the workspace."""
        self._workspace.close(60)


class Semble:
    """semble with the same static model; it has no save event and scans the folder again."""

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
        """Compare the folder with the cache and update the cache, as every semble command does first."""
        self._load()

    def close(self) -> None:
        """Nothing is open."""


class Ripgrep:
    """The lower baseline; it reads all files for each search."""

    def __init__(self, root: Path, scratch: Path) -> None:
        self._ripgrep = others.Ripgrep(root, scratch)

    def search(self, query: str) -> list[Place]:
        """The files that contain most words of the query."""
        return self._ripgrep.search(query, DEPTH, one_per_file=True)

    def saved(self, path: Path) -> None:
        """Do nothing: there is no index."""

    def close(self) -> None:
        """Nothing is open."""


TOOLS: dict[str, type[Tool]] = {"sightline": Sightline, "semble": Semble, "ripgrep": Ripgrep}


def installed(name: str) -> bool:
    """Whether a tool can be run here."""
    return {"semble": others.Semble.installed, "ripgrep": others.Ripgrep.installed}.get(name, lambda: True)()
