"""Judges learned weights on projects that were not used for training."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import numpy as np

from tests.benchmarks.ranking.yardsticks import Row
from training.ranking import judge
from training.ranking.fit import Options, Parameters, fit
from training.ranking.sets import JUDGED, Gathered, Share, weighted

_FOLDS = 6
_SEED = 7


def folds(found: Gathered) -> list[frozenset[str]]:
    """The judged projects split into six folds, each with its share of every set."""
    parts: list[set[str]] = [set() for _ in range(_FOLDS)]
    draw = np.random.default_rng(_SEED)
    # The sentences use the projects of the topics, the mined sets those of the questions.
    for name in ("topics", "changes", "questions"):
        for at, project in enumerate(draw.permutation(sorted(found[name])).tolist()):
            parts[at % _FOLDS].add(project)
    return [frozenset(part) for part in parts]


def crossvalidated(
    found: Gathered, small: Gathered, shares: Mapping[str, Share], options: Options
) -> Iterator[Row]:
    """The rows of every judged project with weights learned without it, from the `small` examples."""
    for number, held in enumerate(folds(found)):
        learned = fit(weighted(small, shares, without=held), replace(options, seed=options.seed + number))
        yield from judged(found, learned, "cross-validated", held)


def judged(
    found: Gathered, parameters: Parameters, tool: str, only: Collection[str] | None = None
) -> Iterator[Row]:
    """The rows of all or some of the judged projects with given weights."""
    for name, yardstick in JUDGED.items():
        for project, of_project in found[name].items():
            if only is None or project in only:
                yield from judge.rows(yardstick, tool, project, of_project, parameters)
