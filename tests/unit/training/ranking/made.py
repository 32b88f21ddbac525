"""Examples made by hand."""

from __future__ import annotations

import numpy as np

from sightline.file_roles import ROLES
from sightline.search.query.classify import QueryKind
from sightline.search.ranking.signals import SIGNALS
from tests.benchmarks.ranking.tasks import Place, Task
from training.ranking.signals import Example, Groups


def example(seed: int, kind: QueryKind = "change", *, named: bool = False, candidates: int = 12) -> Example:
    """Random signals of candidates in files of three places, one or two each; the first file is relevant."""
    draw = np.random.default_rng(seed)
    places = np.sort(draw.integers(0, candidates // 2, candidates))
    places = np.cumsum(np.diff(places, prepend=places[0]) != 0)
    files = places // 3
    shown = tuple(Place(f"{file}.py", at * 10 + 1, at * 10 + 9) for at, file in enumerate(files.tolist()))
    right_files, right_places = np.arange(files[-1] + 1) == 0, np.arange(places[-1] + 1) == 1
    return Example(
        Task("what", ("0.py",), (shown[int(np.flatnonzero(places == 1)[0])],)),
        kind,
        named,
        draw.random((candidates, len(SIGNALS)), np.float32),
        (draw.random((candidates, len(ROLES))) < 0.2).astype(np.float32),
        Groups(files, right_files),
        Groups(places, right_places),
        np.arange(candidates),
        shown,
    )
