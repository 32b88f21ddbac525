"""Doc sentence to function: does adding vectors to BM25 find definitions that neither finds alone?

    python -m tests.benchmarks.model_lines --repos DIR [--model packaged] [--queries 60]

Each folder of DIR is a project the model has not seen. The query is the first sentence of a definition's
documentation, the candidates are all definitions of the project without theirs, and one of them is right.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from sightline.embedding import PACKAGED
from tests.benchmarks.model_quality import bm25_scores, vector_scorer
from training.extract import all_definitions
from training.phrases import first_sentence
from training.records import Record

_FEWEST_WORDS = 4
_FEWEST_QUERIES = 10
_DEPTH = 10


def scaled(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return each row stretched to 0..1, so that two methods can be added."""
    low, high = scores.min(axis=1, keepdims=True), scores.max(axis=1, keepdims=True)
    stretched: NDArray[np.float32] = (scores - low) / np.maximum(high - low, 1e-9)
    return stretched


def gain(scores: NDArray[np.float32], targets: Sequence[int]) -> float:
    """Return NDCG@10 with one right answer a query; ties count against the method."""
    ranks = [int((row >= row[target]).sum()) for row, target in zip(scores, targets, strict=True)]
    return fmean(1 / np.log2(rank + 1) if rank <= _DEPTH else 0.0 for rank in ranks)


def tasks_of(records: list[Record], most: int) -> list[int]:
    """Choose the definitions whose documentation is asked for, the same ones every time."""
    asked = [
        row for row, record in enumerate(records) if len(first_sentence(record.doc).split()) >= _FEWEST_WORDS
    ]
    random.Random(5).shuffle(asked)
    return asked[:most]


def main() -> None:
    """Print a line a project, then the means and how much the sum gains."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--model", default=PACKAGED)
    parser.add_argument("--queries", type=int, default=60, help="most queries a project")
    arguments = parser.parse_args()
    vector_scores = vector_scorer(arguments.model)
    rows: list[tuple[float, float, float]] = []
    for root in sorted(path.resolve() for path in arguments.repos.iterdir() if path.is_dir()):
        records = all_definitions(root)
        targets = tasks_of(records, arguments.queries)
        if len(targets) < _FEWEST_QUERIES:
            continue
        queries = [first_sentence(records[row].doc) for row in targets]
        codes = [record.code for record in records]
        keywords, vectors = bm25_scores(queries, codes), vector_scores(queries, codes)
        both = scaled(keywords) + scaled(vectors)
        rows.append((gain(keywords, targets), gain(vectors, targets), gain(both, targets)))
        print(f"{root.name:36} {len(targets):3}  " + "  ".join(f"{value:.3f}" for value in rows[-1]))
    keyword, vector, hybrid = (fmean(column) for column in zip(*rows, strict=True))
    ratio = hybrid / max(keyword, vector)
    print(f"bm25 {keyword:.3f}  vectors {vector:.3f}  sum {hybrid:.3f}  ratio {ratio:.3f}")


if __name__ == "__main__":
    main()
