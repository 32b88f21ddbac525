"""How fast the packaged model embeds and loads, compared with another static model on the same chunks.

    python -m tests.benchmarks.model_speed --repo FOLDER --other FOLDER [--chunks 4000]

Speeds are chunks per second of processor time, so that other load on the machine matters little. "class" is
fastembed's class for static models alone, for both models; "product" is the packaged model as Sightline runs
it, with a lexicon that has seen no identifier yet. Loading is what a new process does after its imports.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

from sightline.embedding import load_embedder
from sightline.embedding import load_model as loading
from tests.benchmarks import options
from tests.benchmarks.model_quality import pieces_of

_STATIC_CLASS = "minishlab/potion-base-8M"
_ROUNDS = 5
_LOAD = (
    "import time, numpy, fastembed, tokenizers; from sightline.embedding import load_embedder; "
    "started = time.perf_counter(); load_embedder(); print(time.perf_counter() - started)"
)


def class_speed(folder: Path, texts: list[str]) -> float:
    """Chunks per second of processor time with fastembed's class."""
    from fastembed import TextEmbedding

    model = TextEmbedding(_STATIC_CLASS, cache_dir=str(folder), specific_model_path=str(folder))
    started = time.process_time()
    for _ in model.embed(texts, batch_size=256):
        pass
    return len(texts) / (time.process_time() - started)


def product_speed(texts: list[str]) -> float:
    """The same for the packaged model as Sightline runs it."""
    embedder = load_embedder()
    started = time.process_time()
    for start in range(0, len(texts), 256):
        embedder.embed(texts[start : start + 256])
    return len(texts) / (time.process_time() - started)


def load_seconds() -> list[float]:
    """The load times in new processes, without the time of the imports."""
    command = [sys.executable, "-c", _LOAD]
    runs = (
        subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(_ROUNDS)
    )
    return sorted(map(float, runs))


def main() -> None:
    """Print the speeds as medians of several alternating rounds, their ratio, and the load times."""
    parser = options.parser(__doc__)
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--other", type=Path, required=True)
    parser.add_argument("--chunks", type=int, default=4000)
    given = parser.parse_args()
    texts = [piece.bare for piece in islice(pieces_of(given.repo.resolve()), given.chunks)]
    rows = [
        (class_speed(loading.PACKAGED_FOLDER, texts), class_speed(given.other, texts), product_speed(texts))
        for _ in range(_ROUNDS)
    ]
    ours, other, product = (statistics.median(column) for column in zip(*rows, strict=True))
    size = sum(map(len, texts)) / len(texts)
    print(f"{len(texts)} chunks of {size:.0f} characters; chunks a CPU second, {_ROUNDS} rounds")
    print(f"packaged, class   {ours:8.0f}   {ours / other:.2f} of the other")
    print(f"other, class      {other:8.0f}")
    print(f"packaged, product {product:8.0f}   {product / other:.2f} of the other")
    print("loading after imports: " + ", ".join(f"{seconds:.3f}" for seconds in load_seconds()) + " s")


if __name__ == "__main__":
    main()
