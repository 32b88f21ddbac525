"""How well vectors alone find files: any models against BM25 on the same chunks, no ranking stage.

    python -m tests.benchmarks.model_quality --repos DIR --tasks DIR [--model packaged|FOLDER]... [--bm25]

DIR/NAME holds the files of repository NAME and tasks/NAME.json its queries (see ndcg.py). A file stands at
the rank of its best chunk. "bare" is the text of the chunks, "product" the text that Sightline embeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sightline.embedding import PACKAGED, embed_passages, load_embedder
from sightline.indexing.content import Content, read
from sightline.indexing.discover import DiscoveryRules, Found, scan
from sightline.indexing.documents import embed_text
from sightline.indexing.parse import parse_file
from sightline.languages import detect
from sightline.search.stopwords import STOPSTEMS
from sightline.words import tokens
from tests.benchmarks import options
from tests.benchmarks.ndcg import (
    DEPTH,
    Place,
    Score,
    Task,
    by_category,
    files_below,
    load_tasks,
    mean_over_repositories,
    ndcg,
)

_MOST_BYTES = 1 << 20

Scorer = Callable[[Sequence[str], Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk by its file, its bare text and the text that stands for it in the product."""

    path: str
    bare: str
    product: str


def pieces_of(root: Path) -> Iterator[Piece]:
    """Yield the chunks of every code file, cut as the product cuts them."""
    for found in scan(root, DiscoveryRules()):
        content = read(root, found.path, _MOST_BYTES) if isinstance(found, Found) else None
        if not isinstance(content, Content):
            continue
        language = detect(found.path, content.text[:200].encode())
        if language.strategy == "code" and language.grammar:
            for chunk in parse_file(found.path, content.text, language).chunks:
                yield Piece(found.path, chunk.text, embed_text(found.path, chunk))


def vector_scorer(model: str) -> Scorer:
    """Score by the cosine of a model's vectors."""
    embedder = load_embedder(model)

    def scores(queries: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
        asked = np.stack([embedder.embed_query(query) for query in queries])
        cosines: NDArray[np.float32] = asked @ embed_passages(embedder, texts).T
        return cosines

    return scores


def bm25_scores(queries: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
    """Score by BM25 as the product does: split and stemmed tokens, stopwords of the query left out."""
    from rank_bm25 import BM25Plus

    index = BM25Plus([tokens(text) or ["-"] for text in texts], delta=0)
    rows = [index.get_scores(_asked(query)) for query in queries]
    return np.stack(rows).astype(np.float32)


def _asked(query: str) -> list[str]:
    terms = tokens(query)
    return [term for term in terms if term not in STOPSTEMS] or terms


def ranked_files(paths: Sequence[str], scores: NDArray[np.float32]) -> list[Place]:
    """Return the files of the best chunks, each once."""
    best: dict[str, None] = {}
    for row in np.argsort(-scores, kind="stable"):
        best.setdefault(paths[row])
        if len(best) == DEPTH:
            break
    return [Place(path) for path in best]


def score_repository(
    name: str, root: Path, tasks: Sequence[Task], texts: list[str], paths: list[str], scorer: Scorer
) -> list[Score]:
    """Score one repository's tasks; those whose targets are not there are left out."""
    files = files_below(root)
    scores = scorer([task.query for task in tasks], texts)
    values = (ndcg(ranked_files(paths, row), task, files) for row, task in zip(scores, tasks, strict=True))
    return [
        Score(name, task.category, task.query, value)
        for task, value in zip(tasks, values, strict=True)
        if value is not None
    ]


def main() -> None:
    """Print one line a method and kind of text."""
    parser = options.with_tasks(__doc__)
    parser.add_argument(
        "--model", action="append", help="packaged, a folder or a catalogue name; may be repeated"
    )
    parser.add_argument("--bm25", action="store_true", help="measure BM25 too")
    given = parser.parse_args()
    scorers = {model: vector_scorer(model) for model in given.model or [PACKAGED]}
    if given.bm25:
        scorers["bm25"] = bm25_scores
    results: dict[tuple[str, str], list[Score]] = {}
    for name, tasks in load_tasks(given.tasks).items():
        root = given.repos / name
        pieces = list(pieces_of(root)) if root.is_dir() else []
        paths = [piece.path for piece in pieces]
        for kind in ("bare", "product") if pieces else ():
            texts = [getattr(piece, kind) for piece in pieces]
            for method, scorer in scorers.items():
                found = score_repository(name, root, tasks, texts, paths, scorer)
                results.setdefault((method, kind), []).extend(found)
    for (method, kind), scores in results.items():
        categories = "  ".join(f"{key} {value:.3f}" for key, value in by_category(scores).items())
        print(f"{method:30} {kind:8} {mean_over_repositories(scores):.3f}   {categories}")


if __name__ == "__main__":
    main()
