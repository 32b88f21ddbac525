"""Timing shared by the benchmarks of the stores."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def milliseconds(action: Callable[[], object], rounds: int = 21) -> float:
    """The median time of an action, after one round to warm up."""
    action()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def row(name: str, value: float, unit: str, ratio: float | None = None, of: str = "") -> None:
    """One line of the table on stdout."""
    share = f"{ratio:8.2f} x {of}" if ratio is not None else ""
    print(f"{name:<44}{value:10.2f} {unit:<4}{share}")
