"""BM25: build, query, update and snapshot, as ratios within one run.

    python -m tests.benchmarks.stores_keywords [--documents 100000]

rank_bm25 answers one of the queries over a tenth of the documents, and its time is multiplied by ten,
because it scans every document.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Plus

from sightline.stores.memory import snapshot
from sightline.stores.memory.keywords import Keywords
from tests.benchmarks import options
from tests.benchmarks.timing import median_of, row

_VOCABULARY = 100_000
_TOKENS = 80
_QUERY_TERMS = 5
_EDIT = 10


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents with the long-tailed vocabulary of source code."""

    tokens: NDArray[np.uint32]
    lengths: NDArray[np.int64]
    ids: NDArray[np.uint32]
    counts: NDArray[np.uint16]

    def slice(
        self, first: int, last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.uint16]]:
        """The packed terms of some documents."""
        a, b = int(self.lengths[:first].sum()), int(self.lengths[:last].sum())
        return self.lengths[first:last], self.ids[a:b], self.counts[a:b]


def corpus(documents: int) -> Corpus:
    """Random documents with a fixed seed."""
    rng = np.random.default_rng(0)
    tokens = np.minimum(rng.pareto(0.8, (documents, _TOKENS)) * 10, _VOCABULARY - 1).astype(np.uint32)
    packed = [np.unique(document, return_counts=True) for document in tokens]
    return Corpus(
        tokens,
        np.array([len(ids) for ids, _ in packed], np.int64),
        np.concatenate([ids for ids, _ in packed]),
        np.concatenate([counts for _, counts in packed]).astype(np.uint16),
    )


def built(corpus: Corpus, documents: int) -> Keywords:
    """An index over the first documents."""
    keywords = Keywords()
    keywords.add_many(np.arange(documents), *corpus.slice(0, documents))
    return keywords


def edits(keywords: Keywords, corpus: Corpus, documents: int) -> Callable[[], None]:
    """An edit of one file: ten documents out, ten new ones in; the next call edits the next file."""
    state = {"next": documents, "old": 0}

    def edit() -> None:
        for slot in range(state["old"], state["old"] + _EDIT):
            _, ids, counts = corpus.slice(slot, slot + 1)
            keywords.remove(slot, ids, counts)
        keywords.add_many(np.arange(state["next"], state["next"] + _EDIT), *corpus.slice(0, _EDIT))
        state["next"] += _EDIT
        state["old"] += _EDIT

    return edit


def main() -> None:
    """Print the table."""
    parser = options.parser(__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    documents = parser.parse_args().documents
    small = documents // 10
    data = corpus(documents)
    start = time.perf_counter()
    keywords = built(data, documents)
    row(f"build, {documents} documents", time.perf_counter() - start, "s")
    queries = np.random.default_rng(1).choice(data.tokens.reshape(-1), (50, _QUERY_TERMS)).tolist()
    ours = (
        median_of(lambda: [keywords.scores(dict.fromkeys(query, 1.0), documents) for query in queries], 5)
        / 50
    )
    oracle = BM25Plus(data.tokens[:small].tolist(), delta=0)
    theirs = median_of(lambda: oracle.get_scores(queries[0]), 3) * documents / small
    row(f"query of {_QUERY_TERMS} terms", ours, "ms", ours / theirs, "rank_bm25")
    large_edit = median_of(edits(keywords, data, documents))
    small_edit = median_of(edits(built(data, small), data, small))
    row(f"edit of {_EDIT} documents in {small}", small_edit, "ms")
    row(
        f"edit of {_EDIT} documents in {documents}",
        large_edit,
        "ms",
        large_edit / small_edit,
        "the small one",
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "keywords"
        row("save", median_of(lambda: snapshot.write(path, {}, keywords.arrays()), 3), "ms")
        row("open", median_of(lambda: snapshot.read(path), 3), "ms")
        row("snapshot", path.stat().st_size / 1e6, "MB")


if __name__ == "__main__":
    main()
