"""Timing helpers."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def timed(work: Callable[[], object]) -> float:
    """The duration of a call in milliseconds."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def median_of(work: Callable[[], object], rounds: int = 21) -> float:
    """The median of several rounds in milliseconds, after one warm-up round."""
    work()
    return statistics.median(timed(work) for _ in range(rounds))


def row(name: str, value: float, unit: str, ratio: float | None = None, of: str = "") -> None:
    """Print one line of a table."""
    share = f"{ratio:8.2f} x {of}" if ratio is not None else ""
    print(f"{name:<44}{value:10.2f} {unit:<4}{share}")
