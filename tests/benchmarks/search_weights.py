"""Do vectors pay, and do learned weights, on repositories that the weights were not learned on?

    python -m tests.benchmarks.search_weights --repos DIR --tasks DIR [--folds 6] [--cache DIR]

The signals of every file that a query finds are collected once, with vectors and with keywords alone. For
each fold the weights climb, one after another, on the other repositories, for either way of searching by
itself, and are then judged on the fold, as are the shipped constants. Intervals are of a bootstrap over
repositories.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sightline.embedding import load_embedder
from sightline.search import rank
from sightline.search.classify import classify
from sightline.search.constants import DEFAULTS
from sightline.search.pipeline import Pipeline, Question
from sightline.search.query import parse
from sightline.search.trace import Stages
from sightline.settings import SearchSettings
from sightline.stores.image import Image
from tests.benchmarks import options
from tests.benchmarks.ndcg import Place, Task, files_below, load_tasks, ndcg
from tests.benchmarks.quality import opened

_STEPS = (0.5, 0.7, 0.85, 1.2, 1.4, 2.0)
# A step away from the shipped weight has to be worth this much, or the weights fit the noise.
_PULL = 0.003
_DRAWS = 10_000

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Example:
    """A query: its signals by file, weighed as shipped and penalised, and what would be right."""

    repository: str
    parts: Floats
    paths: tuple[str, ...]
    task: Task

    def value(self, factors: Floats) -> float:
        """NDCG@10 of the files in the order these factors give."""
        order = np.argsort(-(factors @ self.parts), kind="stable")[:10]
        places = [Place(self.paths[at]) for at in order]
        return ndcg(places, self.task, [target.path for target in self.task.targets]) or 0.0


def _signal_names() -> tuple[str, ...]:
    return tuple(name for name in rank.weights(classify("x y"), DEFAULTS) if name != "graph")


def examples(
    image: Image, name: str, tasks: Iterable[Task], files: list[str], *, vectors: bool
) -> list[Example]:
    """The signals of every query of one repository."""
    embed = load_embedder().embed_query
    pipeline = Pipeline(image, embed, SearchSettings(), DEFAULTS)
    found = []
    for task in tasks:
        if ndcg([], task, files) is None:
            continue
        parsed = parse(task.query)
        vector = embed(parsed.text) if vectors else None
        question = Question(parsed, classify(parsed.text), vector, use_keywords=True)
        with image.guard.reading():
            ranking = pipeline.rank(question, 10, Stages(None))
            paths = tuple(image.files[number].path for number in ranking.grouped.files)
        none = np.zeros(len(paths), np.float32)
        weighed = [ranking.weights[signal] * ranking.signals.get(signal, none) for signal in _signal_names()]
        # File targets only: lines are judged by quality.py.
        whole = Task(task.query, task.category, tuple(Place(target.path) for target in task.targets))
        found.append(Example(name, np.array(weighed, np.float32) * ranking.kept, paths, whole))
    return found


def score(chosen: Sequence[Example], factors: Floats) -> float:
    """The mean over repositories."""
    by_repository: dict[str, list[float]] = {}
    for example in chosen:
        by_repository.setdefault(example.repository, []).append(example.value(factors))
    return statistics.fmean(statistics.fmean(values) for values in by_repository.values())


def climb(chosen: Sequence[Example], size: int) -> Floats:
    """Factors on the shipped weights, improved one at a time as long as it pays for the distance."""
    factors = np.ones(size, np.float32)
    best = score(chosen, factors)
    for at in np.random.default_rng(0).permutation(size):
        for step in _STEPS:
            tried = factors.copy()
            tried[at] *= step
            value = score(chosen, tried) - _PULL * float(np.abs(np.log(tried)).sum())
            if value > best:
                best, factors = value, tried
    return factors


def _short(factor: np.float32) -> float:
    return round(float(factor), 2)


def judged(collected: Mapping[str, list[Example]], folds: int) -> tuple[Floats, Floats]:
    """The score of every repository with the shipped weights, and with those learned on the other folds."""
    names = sorted(collected)
    random.Random(0).shuffle(names)
    shipped, learned = {}, {}
    for fold in range(folds):
        held = names[fold::folds]
        train = [example for name in names if name not in held for example in collected[name]]
        factors = climb(train, len(_signal_names()))
        for name in held:
            shipped[name] = score(collected[name], np.ones_like(factors))
            learned[name] = score(collected[name], factors)
        print(f"fold {fold}:", dict(zip(_signal_names(), map(_short, factors), strict=True)))
    rows = [(shipped[name], learned[name]) for name in sorted(names)]
    return np.array([row[0] for row in rows], np.float32), np.array([row[1] for row in rows], np.float32)


def compared(name: str, one: Floats, other: Floats) -> str:
    """The mean difference over repositories with its interval of 95 %."""
    changes = one - other
    drawn = np.random.default_rng(0).integers(0, len(changes), (_DRAWS, len(changes)))
    low, high = np.percentile(changes[drawn].mean(axis=1), (2.5, 97.5))
    return f"{name}: {one.mean():.4f} - {other.mean():.4f} = {changes.mean():+.4f} [{low:+.4f}, {high:+.4f}]"


def main() -> None:
    """Collect, learn, judge, print."""
    parser = options.with_tasks(__doc__)
    parser.add_argument("--folds", type=int, default=6)
    parser.add_argument("--cache", type=Path, help="keep the indexes here")
    given = parser.parse_args()
    hybrid: dict[str, list[Example]] = {}
    keyword: dict[str, list[Example]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["SIGHTLINE_CACHE_DIR"] = str(given.cache or temporary)
        for name, tasks in load_tasks(given.tasks).items():
            root = given.repos / name
            if root.is_dir():
                with opened(root, {}) as workspace:
                    image = workspace.folders[0].image
                    assert image is not None
                    files = files_below(root)
                    hybrid[name] = examples(image, name, tasks, files, vectors=True)
                    keyword[name] = examples(image, name, tasks, files, vectors=False)
    shipped, learned = judged(hybrid, given.folds)
    plain_shipped, plain_learned = judged(keyword, given.folds)
    print(compared("hybrid, learned - shipped weights", learned, shipped))
    print(compared("hybrid - keyword, shipped weights", shipped, plain_shipped))
    print(compared("hybrid - keyword, both learned on the other folds", learned, plain_learned))


if __name__ == "__main__":
    main()
