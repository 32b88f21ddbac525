"""How well vectors alone find files: any models against BM25 on the same chunks, no ranking stage.

    python -m tests.benchmarks.model_quality --mirrors DIR --work DIR [--model packaged|FOLDER]... [--bm25]

The repositories and queries are the topics of ranking/. A file has the rank of its best chunk. "bare" is the
text of the chunks, "product" the text that Sightline embeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from sightline.embedding import PACKAGED, embed_passages, load_embedder
from sightline.indexing.content import Content, read
from sightline.indexing.discovery.discover import FoundFile, scan
from sightline.indexing.parsing.chunk_texts import embed_text
from sightline.indexing.parsing.parse_file import parse_file
from sightline.languages import detect
from sightline.search.query.stopwords import STOPSTEMS
from sightline.settings.tree import IndexingSettings
from sightline.words import tokens
from tests.benchmarks import options
from tests.benchmarks.ranking import layout, tasks
from tests.benchmarks.ranking.metrics import DEPTH, ndcg
from tests.benchmarks.ranking.tasks import Place, Project

_MOST_BYTES = 1 << 20

Scorer = Callable[[Sequence[str], Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk: its file, its bare text and the text that the product embeds for it."""

    path: str
    bare: str
    product: str


def pieces_of(root: Path) -> Iterator[Piece]:
    """Yield the chunks of every code file, cut as the product cuts them."""
    for found in scan(root, IndexingSettings()):
        content = read(root, found.path, _MOST_BYTES) if isinstance(found, FoundFile) else None
        if not isinstance(content, Content):
            continue
        language = detect(found.path, content.text[:200].encode())
        if language.strategy == "code" and language.grammar:
            for chunk in parse_file(content.text, language).chunks:
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
    """Score by BM25 as the product does: split and stemmed tokens, query stopwords removed."""
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


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a method for one query."""

    repo: str
    category: str
    value: float


def scores_of(project: Project, texts: list[str], paths: list[str], scorer: Scorer) -> list[Score]:
    """Score one repository's tasks."""
    scores = scorer([task.query for task in project.tasks], texts)
    return [
        Score(project.name, task.category, ndcg(ranked_files(paths, row), task.targets()))
        for task, row in zip(project.tasks, scores, strict=True)
    ]


def means(scores: Iterable[Score], key: str) -> dict[str, float]:
    """The mean of each repository or category."""
    groups: dict[str, list[float]] = {}
    for score in scores:
        groups.setdefault(getattr(score, key), []).append(score.value)
    return {name: fmean(values) for name, values in sorted(groups.items())}


def main() -> None:
    """Print one line per method and kind of text."""
    parser = options.with_mirrors(__doc__)
    parser.add_argument(
        "--model", action="append", help="packaged, a folder or a catalogue name; may be repeated"
    )
    parser.add_argument("--bm25", action="store_true", help="measure BM25 too")
    given = parser.parse_args()
    scorers = {model: vector_scorer(model) for model in given.model or [PACKAGED]}
    if given.bm25:
        scorers["bm25"] = bm25_scores
    results: dict[tuple[str, str], list[Score]] = {}
    for project in tasks.load("topics"):
        pieces = list(pieces_of(layout.tree(project, given.mirrors, given.work)))
        paths = [piece.path for piece in pieces]
        for kind in ("bare", "product"):
            texts = [getattr(piece, kind) for piece in pieces]
            for method, scorer in scorers.items():
                results.setdefault((method, kind), []).extend(scores_of(project, texts, paths, scorer))
    for (method, kind), scores in results.items():
        categories = "  ".join(f"{key} {value:.3f}" for key, value in means(scores, "category").items())
        print(f"{method:30} {kind:8} {fmean(means(scores, 'repo').values()):.3f}   {categories}")


if __name__ == "__main__":
    main()
