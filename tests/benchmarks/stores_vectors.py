"""Exact vectors: a search with and without a mask, as a multiple of the bare `matrix @ query`.

    python -m tests.benchmarks.stores_vectors [--vectors 100000] [--dim 256]

Processor time is printed too: the bare product keeps every core busy, the search one.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from sightline.stores.vectors import Matrix
from tests.benchmarks.stores_timing import milliseconds, row

_K = 200
_MASKS = (0.9, 0.5, 0.2, 0.05, 0.01)


def processor(action: Callable[[], object], rounds: int = 11) -> float:
    """The mean processor time of an action, of all threads, in milliseconds."""
    start = time.process_time()
    for _ in range(rounds):
        action()
    return 1000 * (time.process_time() - start) / rounds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--dim", type=int, default=256)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((options.vectors, options.dim), dtype=np.float32)
    query = rows[0].copy()
    matrix = Matrix(options.dim)
    matrix.set(np.arange(options.vectors), rows)
    bare = milliseconds(lambda: rows @ query)
    row("bare rows @ query", bare, "ms")
    row("  its processor time", processor(lambda: rows @ query), "ms")
    full = milliseconds(lambda: matrix.top(query, _K))
    row(f"top {_K}", full, "ms", full / bare, "bare")
    row("  its processor time", processor(lambda: matrix.top(query, _K)), "ms")
    for share in _MASKS:
        allowed = rng.random(options.vectors) < share
        masked = milliseconds(partial(matrix.top, query, _K, allowed))
        row(f"top {_K} of {share:.0%} allowed", masked, "ms", masked / bare, "bare")


if __name__ == "__main__":
    main()
