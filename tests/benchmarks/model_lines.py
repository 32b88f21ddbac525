"""Doc sentence to function: does adding vectors to BM25 find definitions that neither finds alone?

    python -m tests.benchmarks.model_lines --repos DIR... [--model packaged] [--queries 60]

Each folder of each DIR is a project the model has not seen. The query is the first sentence of a definition's
documentation, the candidates are all definitions of the project without theirs, and one of them is right. The
hybrid is the product's ranking of chunks, with its own scales and weights; nothing is tuned here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from sightline.embedding import PACKAGED
from sightline.search.ranking.constants import DEFAULTS
from sightline.search.ranking.fuse import scaled, scaled_cosines
from sightline.search.ranking.weights import learned
from tests.benchmarks import options
from tests.benchmarks.model_quality import Scorer, bm25_scores, vector_scorer
from training.extract import all_definitions
from training.phrases import first_sentence
from training.records import Record

_FEWEST_WORDS = 4
_FEWEST_QUERIES = 10
_DEPTH = 10
_DRAWS = 10_000


def hybrid(keywords: NDArray[np.float32], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the product's score of chunks from the two retrievers only, with its scale and weights."""
    scores = np.full_like(keywords, -1)
    # A doc sentence is a statement; the product's other signals are not available here.
    weights = {name: by_kind["statement"] for name, by_kind in learned().signals.items()}
    for row, (keyword, cosine) in enumerate(zip(keywords, vectors, strict=True)):
        found = np.union1d(_best(keyword), _best(cosine))
        by_words, by_meaning = scaled(keyword[found]), scaled_cosines(cosine[found])
        scores[row, found] = weights["bm25"] * by_words + weights["cosine"] * by_meaning
    return scores


def _best(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    return np.argsort(-scores, kind="stable")[: int(DEFAULTS.pool)]


def gain(scores: NDArray[np.float32], targets: Sequence[int]) -> float:
    """Return NDCG@10 with one right answer per query; ties count against the method."""
    ranks = [int((row >= row[target]).sum()) for row, target in zip(scores, targets, strict=True)]
    return fmean(1 / np.log2(rank + 1) if rank <= _DEPTH else 0.0 for rank in ranks)


def tasks_of(records: list[Record], most: int) -> list[int]:
    """Choose the definitions whose documentation is used as queries, the same ones every time."""
    asked = [
        row for row, record in enumerate(records) if len(first_sentence(record.doc).split()) >= _FEWEST_WORDS
    ]
    random.Random(5).shuffle(asked)
    return asked[:most]


def summary(rows: NDArray[np.float64]) -> str:
    """Return the means over projects, and the hybrid's gain with its interval (bootstrap over projects)."""
    drawn = np.random.default_rng(0).integers(0, len(rows), (_DRAWS, len(rows)))
    low, high = np.percentile(_ratio(rows[drawn].mean(axis=1)), (2.5, 97.5))
    keyword, vector, both = means = rows.mean(axis=0)
    return (
        f"{len(rows)} projects: bm25 {keyword:.3f}  vectors {vector:.3f}  hybrid {both:.3f}  "
        f"ratio {_ratio(means):.3f} [{low:.3f}, {high:.3f}]"
    )


def _ratio(means: NDArray[np.float64]) -> NDArray[np.float64]:
    ratios: NDArray[np.float64] = means[..., 2] / means[..., :2].max(axis=-1)
    return ratios


def scores_of(root: Path, vector_scores: Scorer, most: int) -> tuple[float, float, float] | None:
    """Return the scores of BM25, vectors and the hybrid in a project, None if it is too little documented."""
    records = all_definitions(root)
    targets = tasks_of(records, most)
    if len(targets) < _FEWEST_QUERIES:
        return None
    queries = [first_sentence(records[row].doc) for row in targets]
    codes = [record.code for record in records]
    keywords, vectors = bm25_scores(queries, codes), vector_scores(queries, codes)
    return gain(keywords, targets), gain(vectors, targets), gain(hybrid(keywords, vectors), targets)


def main() -> None:
    """Print one line per project, then the means of each folder of projects and of all."""
    parser = options.parser(__doc__)
    parser.add_argument("--repos", type=Path, required=True, nargs="+")
    parser.add_argument("--model", default=PACKAGED)
    parser.add_argument("--queries", type=int, default=60, help="maximum number of queries per project")
    given = parser.parse_args()
    vector_scores = vector_scorer(given.model)
    every: list[tuple[float, float, float]] = []
    for folder in given.repos:
        rows: list[tuple[float, float, float]] = []
        for root in sorted(path.resolve() for path in folder.iterdir() if path.is_dir()):
            found = scores_of(root, vector_scores, given.queries)
            if found:
                rows.append(found)
                print(f"{root.name:36} " + "  ".join(f"{value:.3f}" for value in found), flush=True)
        print(summary(np.array(rows)))
        every += rows
    print(summary(np.array(every)))


if __name__ == "__main__":
    main()
