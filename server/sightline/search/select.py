"""Which of the ranked places are shown, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


def one_per_file(files: Sequence[int]) -> list[int]:
    """The positions of each file's first place."""
    seen: set[int] = set()
    kept: list[int] = []
    for position, file in enumerate(files):
        if file not in seen:
            seen.add(file)
            kept.append(position)
    return kept


def capped(files: Sequence[int], per_file: int) -> list[int]:
    """Each file at most `per_file` times, then what is over, so that no page stays short; 0 is no cap."""
    if per_file <= 0:
        return list(range(len(files)))
    used: dict[int, int] = {}
    kept: list[int] = []
    over: list[int] = []
    for position, file in enumerate(files):
        before = used.get(file, 0)
        (kept if before < per_file else over).append(position)
        used[file] = before + 1
    return kept + over


def files_first(files: Sequence[int], per_file: int) -> list[int]:
    """Each file's first place in order, then the further places under the cap, then what is over."""
    first = one_per_file(files)
    leading = set(first)
    return first + [position for position in capped(files, per_file) if position not in leading]


def mmr(scores: Sequence[float], vectors: Callable[[], Vectors], count: int, balance: float) -> list[int]:
    """Maximal marginal relevance: each next place is good and unlike what stands before it."""
    if not scores:
        return []
    matrix = vectors()
    left = np.asarray(scores, dtype=np.float32)
    likeness = np.zeros(len(left), dtype=np.float32)
    open_ = np.ones(len(left), dtype=np.bool_)
    kept: list[int] = []
    while len(kept) < min(count, len(left)):
        gain = np.where(open_, balance * left - (1 - balance) * likeness, -np.inf)
        best = int(np.argmax(gain))
        kept.append(best)
        open_[best] = False
        likeness = np.maximum(likeness, matrix @ matrix[best])
    return kept
