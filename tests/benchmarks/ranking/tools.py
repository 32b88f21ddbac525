"""The search tools that are compared: Sightline, the BM25 of its index, semble and ripgrep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np

from sightline.history.history import History
from sightline.languages.table import LANGUAGES
from sightline.search.query.stopwords import STOPSTEMS
from sightline.types import Mode, SearchRequest
from sightline.words import tokens
from tests.benchmarks.ranking.indexed import IndexedTree
from tests.benchmarks.ranking.landing import Landing
from tests.benchmarks.ranking.metrics import DEPTH
from tests.benchmarks.ranking.tasks import Place

# Arguments: the query, the maximum number of places, and whether to return at most one place per file.
Search = Callable[[str, int, bool], list[Place]]


class Engine(Protocol):
    """One open tree and the tools that search it."""

    tools: dict[str, Search]

    def moved(self, commit: str) -> None:
        """Handle that the tree is at another commit."""

    def close(self) -> None:
        """Close the tree."""


class Sightline:
    """Sightline in hybrid and keyword mode, and the BM25 of its index without any ranking."""

    NAMES = ("sightline", "sightline keyword", "bm25")

    def __init__(self, root: Path, work: Path, settings: Mapping[str, object], landing: Landing) -> None:
        self._tree, self._landing = IndexedTree(root, work, settings), landing
        self.tools: dict[str, Search] = {
            "sightline": self.in_mode("hybrid"),
            "sightline keyword": self.in_mode("keyword"),
            "bm25": self._bm25,
        }

    def configure(self, settings: Mapping[str, object]) -> None:
        """Use other settings for the following searches."""
        self._tree.configure(settings)

    def use_history(self, history: History) -> None:
        """Use this history instead of that of the tree's repository."""
        self._tree.use_history(history)

    def in_mode(self, mode: Mode) -> Search:
        """A search function for one of the modes."""

        def search(query: str, limit: int, one_per_file: bool) -> list[Place]:
            request = SearchRequest(query, limit, mode=mode, one_per_file=one_per_file, context="none")
            hits = self._tree.workspace.search(request).hits
            # The result page that the user sees.
            if mode == "hybrid" and limit == DEPTH and not one_per_file:
                for hit in hits:
                    self._landing.count(self._tree.root, hit)
            return [Place(hit.path, hit.start_line + 1, hit.end_line + 1) for hit in hits]

        return search

    def _bm25(self, query: str, limit: int, one_per_file: bool) -> list[Place]:
        memory = self._tree.memory
        said = tokens(query)
        terms = [term for term in said if term not in STOPSTEMS] or said
        known = memory.vocabulary
        scores = memory.keywords.scores(
            {id: 1.0 for term in terms if (id := known.get(term)) is not None}, memory.rows.size
        )
        places: list[Place] = []
        for slot in np.argsort(-scores, kind="stable"):
            file = memory.file_of(int(slot))
            if len(places) == limit or not scores[slot]:
                break
            if LANGUAGES[file.language].strategy != "code":
                continue
            if not one_per_file or file.path not in {place.path for place in places}:
                lines = (int(memory.rows[name][slot]) + 1 for name in ("start_line", "end_line"))
                places.append(Place(file.path, *lines))
        return places

    def moved(self, commit: str) -> None:
        """Reconcile the index with the tree."""
        self._tree.reconcile()

    def close(self) -> None:
        """Close the workspace; its index stays in the work folder."""
        self._tree.close()
