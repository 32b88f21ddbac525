"""Which of the ranked places are shown, and in which order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers
from sightline.search.ranking.file_signals import ranks_within


def firsts(values: NDArray[np.integer[Any]]) -> Integers:
    """The positions at which a value stands for the first time."""
    return np.sort(np.unique(values, return_index=True)[1])


def capped(files: Integers, per_file: int) -> Integers:
    """Each file at most `per_file` times, then what is over, so that no page stays short; 0 is no cap."""
    if per_file <= 0:
        return np.arange(len(files))
    over = ranks_within(files, -np.arange(len(files))) >= per_file
    return np.argsort(over, kind="stable")


def files_first(files: Integers, per_file: int) -> Integers:
    """Each file's first place in order, then the further places under the cap, then what is over."""
    first, rest = firsts(files), capped(files, per_file)
    return np.concatenate([first, rest[~np.isin(rest, first)]])
