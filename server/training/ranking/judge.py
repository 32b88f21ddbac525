"""Scores weights on examples by the rules of the yardsticks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import firsts
from sightline.search.results import select
from sightline.settings.tree import SearchSettings
from tests.benchmarks.ranking.tasks import Place
from tests.benchmarks.ranking.tools import Search
from tests.benchmarks.ranking.yardsticks import Row, Yardstick
from training.ranking.fit import Parameters
from training.ranking.signals import Example

_PER_FILE = SearchSettings().per_file


def page(example: Example, scores: NDArray[np.float64], limit: int, one_per_file: bool) -> list[Place]:
    """The places on a result page: duplicates and parts of one function once, limited per file."""
    order = np.argsort(-scores, kind="stable")
    order = order[firsts(example.contents[order])]
    order = order[firsts(example.places.of[order])]
    files = example.files.of[order]
    chosen = firsts(files) if one_per_file else [*select.capped(files.tolist(), _PER_FILE)]
    return [example.shown[at] for at in order[chosen][:limit].tolist()]


def _search(example: Example, parameters: Parameters) -> Search:
    scores = parameters.scores(example)

    def search(query: str, limit: int, one_per_file: bool) -> list[Place]:
        return page(example, scores, limit, one_per_file)

    return search


def rows(
    yardstick: Yardstick, tool: str, project: str, given: Iterable[Example], parameters: Parameters
) -> Iterator[Row]:
    """The rows of the parameters for the examples of a project."""
    for example in given:
        yield from yardstick.rows(tool, _search(example, parameters), project, example.task)
