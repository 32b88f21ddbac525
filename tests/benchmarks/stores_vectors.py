"""Exact vectors: a search with and without a mask, as a multiple of the bare `matrix @ query`.

    python -m tests.benchmarks.stores_vectors [--vectors 100000] [--dim 256]

Processor time is printed too: the bare product keeps every core busy, the search one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from sightline.stores.vectors.matrix import Matrix
from tests.benchmarks import options
from tests.benchmarks.timing import median_of, row

_K = 200
_MASKS = (0.9, 0.5, 0.2, 0.05, 0.01)


def processor(action: Callable[[], object], rounds: int = 11) -> float:
    """The mean processor time of an action over all threads, in milliseconds."""
    start = time.process_time()
    for _ in range(rounds):
        action()
    return 1000 * (time.process_time() - start) / rounds


def main() -> None:
    """Print the table."""
    parser = options.parser(__doc__)
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--dim", type=int, default=256)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((given.vectors, given.dim), dtype=np.float32)
    query = rows[0].copy()
    matrix = Matrix(given.dim)
    matrix.set(np.arange(given.vectors), rows)
    bare = median_of(lambda: rows @ query)
    row("bare rows @ query", bare, "ms")
    row("  its processor time", processor(lambda: rows @ query), "ms")
    full = median_of(lambda: matrix.nearest(query, _K))
    row(f"top {_K}", full, "ms", full / bare, "bare")
    row("  its processor time", processor(lambda: matrix.nearest(query, _K)), "ms")
    for share in _MASKS:
        allowed = rng.random(given.vectors) < share
        masked = median_of(partial(matrix.nearest, query, _K, allowed))
        row(f"top {_K} of {share:.0%} allowed", masked, "ms", masked / bare, "bare")


if __name__ == "__main__":
    main()
