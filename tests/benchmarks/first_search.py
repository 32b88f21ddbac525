"""The rehearsal after opening an index, the first search, later ones, and filtered ones, in processor time.

    python -m tests.benchmarks.first_search FOLDER

FOLDER holds an index of the packaged model: its `catalog.sqlite` and a snapshot. Searches are also given as
multiples of one exact scan of 100,000 of the same vectors.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from sightline.embedding import load_embedder
from sightline.search.engine import Searcher
from sightline.search.query.prepared_query import prepare
from sightline.search.rehearsal import rehearse
from sightline.settings.tree import SearchSettings
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.restore import load_memory
from sightline.stores.vectors.matrix import dots
from sightline.types import SearchRequest
from tests.benchmarks import options

_SCANNED = 100_000
_ROUNDS = 3
_FILTERS = ("", " path:**/src/**", " kind:class", " lang:python")
_QUERIES = (
    "parse the configuration file",
    "where are sockets closed",
    "retry failed requests with backoff",
    "TokenBucket",
    "serialize object to json",
    "render markdown table",
    "how does the scheduler pick tasks",
    "compute eigenvalues of a sparse matrix",
    "http header parsing",
    "LRU cache eviction",
    "open database connection pool",
    "test that login fails with wrong password",
    "connection",
    "value of the node",
    "write string to file",
    "get the type of an expression",
    "error handling",
    "add support for default values in options",
    "HttpClient",
    "set_default",
    "Fix crash when the list of names is empty",
    "read bytes from stream until end",
)


def taken(work: Callable[[], object]) -> float:
    """The processor time of a call in milliseconds."""
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def scan_ms(memory: MemoryIndex) -> float:
    """The time of one exact scan."""
    assert memory.space is not None
    vectors = memory.space.chunks.get(np.arange(min(_SCANNED, memory.rows.size))).copy()
    query = vectors[7].copy()
    return statistics.median(
        taken(lambda: np.argpartition(dots(vectors, query), -100)[-100:]) for _ in range(15)
    )


def main() -> None:
    """Measure and print."""
    parser = options.parser(__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    embedder = load_embedder()
    embedder.embed_query("warm up the model")
    catalog = Catalog(folder / "catalog.sqlite")
    started = time.process_time()
    memory = load_memory(catalog, folder)
    opened = (time.process_time() - started) * 1000
    searcher = Searcher(memory, lambda: embedder, SearchSettings(cache_ttl_hours=0))

    def search(query: str) -> float:
        return taken(lambda: searcher.search(prepare(SearchRequest(query)), lambda path: None))

    rehearsed = taken(lambda: rehearse(searcher, lambda path: None))
    early = [search(query) for query in _QUERIES[:10]]
    scan = scan_ms(memory)
    print(f"{memory.live} chunks, {memory.files.live} files, {memory.symbols.live} symbols")
    print(f"one exact scan of {_SCANNED} {scan:8.2f} ms")
    print(f"open                     {opened:8.2f} ms")
    print(f"rehearsal                {rehearsed:8.2f} ms")
    print(f"first search             {early[0]:8.2f} ms   tenth {early[9]:.2f} ms")
    for extra in _FILTERS:
        p50 = statistics.median(search(query + extra) for _ in range(_ROUNDS) for query in _QUERIES)
        print(f"{extra or ' hybrid':24} {p50:8.2f} ms   {p50 / scan:.2f} scans")
    catalog.close()


if __name__ == "__main__":
    main()
