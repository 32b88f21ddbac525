"""Selects and orders the ranked places to show."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers
from sightline.search.ranking.file_signals import ranks_within


def firsts(values: NDArray[np.integer[Any]]) -> Integers:
    """The positions where each value occurs for the first time."""
    return np.sort(np.unique(values, return_index=True)[1])


def capped(files: Integers, per_file: int) -> Integers:
    """At most `per_file` places of each file, then the excess, so that no page is short; 0 means no cap."""
    if per_file <= 0:
        return np.arange(len(files))
    over = ranks_within(files, -np.arange(len(files))) >= per_file
    return np.argsort(over, kind="stable")


def files_first(files: Integers, per_file: int) -> Integers:
    """The first place of each file in order, then further places under the cap, then the excess."""
    first, rest = firsts(files), capped(files, per_file)
    return np.concatenate([first, rest[~np.isin(rest, first)]])
