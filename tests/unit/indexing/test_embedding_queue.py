"""Vectors are stored many at a time while more are computed, and all of them in the end."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import cast

import numpy as np

from sightline.arrays import Floats
from sightline.indexing.embedding_queue import _BATCH, _STORED_TOGETHER, EmbeddingQueue
from sightline.indexing.vector_backend import VectorBackend
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.memory.memory_index import MemoryIndex


class _Model:
    id, dim = "test", 2

    def embed(self, texts: Sequence[str]) -> Floats:
        return np.tile(np.array([1, 0], np.float32), (len(texts), 1))

    def embed_query(self, text: str) -> Floats:
        vector: Floats = self.embed([text])[0]
        return vector


class _Backend:
    def added(self, memory: MemoryIndex, keys: Sequence[int]) -> None:
        """No copy of the vectors is kept."""


def test_a_few_finished_batches_wait_for_others_until_the_queue_is_emptied(tmp_path: Path) -> None:
    with closing(Catalog(tmp_path / "catalog.sqlite")) as catalog, ThreadPoolExecutor(1) as pool:
        queue = EmbeddingQueue(MemoryIndex(catalog), _Model(), cast(VectorBackend, _Backend()), pool)

        def stored_after(first: int, batches: int) -> int:
            keys = range(first * _BATCH, (first + batches) * _BATCH)
            queue.enqueue({key: f"text {key}" for key in keys})
            # Done when all before it are.
            pool.submit(int).result()
            queue.collect_many()
            return catalog.count_vectors("test")

        assert stored_after(0, _STORED_TOGETHER - 1) == 0
        assert stored_after(_STORED_TOGETHER - 1, 1) == _STORED_TOGETHER * _BATCH
        assert stored_after(_STORED_TOGETHER, 1) == _STORED_TOGETHER * _BATCH
        queue.collect(block=True)
        assert catalog.count_vectors("test") == (_STORED_TOGETHER + 1) * _BATCH
