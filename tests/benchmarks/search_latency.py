"""Latency of a search compared with one exact scan of the same vectors, in one run.

    python -m tests.benchmarks.search_latency [--chunks 100000] [--rounds 5]

The index is Python's own standard library, copied under numbered folders until it has enough chunks; vectors
are random, which costs the same. Queries are sentences of its doc comments and names of its definitions.
"""

from __future__ import annotations

import itertools
import random
import statistics
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sightline.indexing.content import Content, read
from sightline.indexing.file_record import draft_file
from sightline.languages.table import detect
from sightline.search.engine import Searcher
from sightline.search.query.prepared_query import prepare
from sightline.settings.tree import SearchSettings
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.records import FileDraft
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.restore import load_memory
from sightline.stores.vectors.matrix import Matrix
from sightline.stores.vectors.vector_space import VectorSpace
from sightline.types import SearchRequest
from tests.benchmarks import options
from tests.benchmarks.timing import timed

_DIM = 256
_QUERIES = 60
_MAX_BYTES = 1 << 20


def library() -> Path:
    """The folder of the standard library's sources."""
    return Path(sysconfig.get_paths()["stdlib"])


def prepared_files(root: Path) -> list[FileDraft]:
    """The library's modules, parsed once."""
    found = []
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        content = read(root, name, _MAX_BYTES) if "site-packages" not in name else None
        if isinstance(content, Content):
            found.append(draft_file(name, content, detect(name, b"")).draft)
    return found


def build(folder: Path, chunks: int) -> tuple[MemoryIndex, list[FileDraft]]:
    """An index of about `chunks` chunks with random vectors."""
    modules = prepared_files(library())
    catalog = Catalog(folder / "catalog.db")
    stored = 0
    with catalog.writing():
        for copy, module in ((copy, module) for copy in itertools.count() for module in modules):
            if stored >= chunks:
                break
            catalog.store([module._replace(path=f"copy{copy}/{module.path}")])
            stored += len(module.chunks)
    memory = load_memory(catalog, None)
    memory.switch(VectorSpace("random", _DIM, Matrix(_DIM), Matrix(_DIM)))
    _fill(memory)
    return memory, modules


def _fill(memory: MemoryIndex) -> None:
    random_numbers = np.random.default_rng(0)
    assert memory.space is not None
    for store, size in ((memory.space.chunks, memory.rows.size), (memory.space.files, len(memory.files))):
        vectors = random_numbers.standard_normal((size, _DIM), np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        store.set(np.arange(size), vectors)
    memory.rows["embedded"][:] = True


def queries(modules: Sequence[FileDraft]) -> list[str]:
    """Queries: half are sentences of doc comments, half are names."""
    chosen = random.Random(0)
    prepared = [draft.chunk for module in modules for draft in module.chunks]
    sentences = [chunk.doc for chunk in prepared if len(chunk.doc.split()) > 3 and ":" not in chunk.doc]
    names = [chunk.symbol for chunk in prepared if chunk.symbol.isidentifier()]
    return chosen.sample(sentences, _QUERIES // 2) + chosen.sample(names, _QUERIES // 2)


class OneVector:
    """A model that returns the same vector for every text."""

    id = "one"
    dim = _DIM

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same vector for each text."""
        return np.full((len(texts), _DIM), 1 / np.sqrt(_DIM), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The same vector for any query."""
        row: NDArray[np.float32] = self.embed([text])[0]
        return row


def scans(memory: MemoryIndex, rounds: int) -> Iterator[float]:
    """The times of exact scans of all vectors with plain numpy, as the baseline."""
    assert memory.space is not None
    matrix: NDArray[np.float32] = memory.space.chunks.get(np.arange(memory.rows.size)).copy()
    query = matrix[7].copy()
    for _ in range(rounds * 10):
        yield timed(lambda: np.argpartition(matrix @ query, -100)[-100:])


def main() -> None:
    """Measure and print milliseconds and ratios."""
    parser = options.parser(__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        memory, modules = build(Path(temporary), given.chunks)
        asked = queries(modules)
        searcher = Searcher(memory, OneVector, SearchSettings(cache_ttl_hours=0))

        def search(query: str) -> None:
            searcher.search(prepare(SearchRequest(query)), lambda path: None)

        def sweep(extra: str) -> float:
            for query in asked[:5]:
                search(query + extra)
            times = [
                timed(lambda query=query: search(query + extra))  # type: ignore[misc]  # bound now
                for _ in range(given.rounds)
                for query in asked
            ]
            return statistics.median(times)

        scan = statistics.median(scans(memory, given.rounds))
        print(f"{memory.live} chunks, {len(memory.files)} files, {memory.symbols.live} symbols")
        print(f"one exact scan           {scan:8.2f} ms")
        for label, extra in (
            ("hybrid", ""),
            ("under path:", " path:copy0/**"),
            ("under kind:", " kind:class"),
            ("under lang: and -path:", " lang:py -path:**/test/**"),
        ):
            took = sweep(extra)
            print(f"{label:24} {took:8.2f} ms   {took / scan:.2f} scans")
        with ThreadPoolExecutor(20) as pool:
            together = timed(lambda: list(pool.map(search, asked[:20])))
        print(f"20 searches at once      {together:8.2f} ms")
        memory.catalog.close()


if __name__ == "__main__":
    main()
