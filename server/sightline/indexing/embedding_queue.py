"""Computes the vectors of one model on a separate thread while parsing continues."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import islice

import numpy as np

from sightline.arrays import Floats
from sightline.embedding import Embedder, embed_passages
from sightline.indexing.vector_backend import VectorBackend
from sightline.stores.memory.memory_index import MemoryIndex

# Large enough to keep the tokenizer busy, small enough that a search never waits long for one batch.
_BATCH = 256
# The maximum number of pending batches; bounds memory when parsing is faster than embedding.
_IN_FLIGHT = 16
# The batches that are stored together while more are computed: as the order of keys is random, each
# transaction writes most pages of the table again.
_STORED_TOGETHER = 4
# The maximum number of stored vectors per vector in use; all are read at every start.
_MOST_STORED = 2


class EmbeddingQueue:
    """Embeds texts without a vector, stores the vectors in the catalog and adds them to the memory index."""

    def __init__(
        self, memory: MemoryIndex, embedder: Embedder, backend: VectorBackend, pool: ThreadPoolExecutor
    ) -> None:
        self.embedder = embedder
        self._memory = memory
        self._backend = backend
        self._pool = pool
        # The keys and the vectors of each batch that was submitted.
        self._running: deque[tuple[list[int], Future[Floats]]] = deque()
        self._in_flight: set[int] = set()
        # How many vectors of the model the catalog has; None until it is first needed.
        self._stored: int | None = None

    @property
    def shadow(self) -> bool:
        """Whether these are vectors of a new model, and queries still use those of the old one."""
        space = self._memory.space
        return space is not None and space.model != self.embedder.id

    @property
    def busy(self) -> bool:
        """Whether vectors are being computed."""
        return bool(self._running)

    def rest(self) -> None:
        """Wait briefly for the oldest running batch."""
        if self._running:
            wait([self._running[0][1]], timeout=0.05)

    def enqueue(self, texts: Mapping[int, str]) -> None:
        """Queue these texts for embedding, unless the catalog has their vectors."""
        known = self._memory.catalog.vectors_of(self.embedder.id, list(texts))
        if not self.shadow:
            self._attach(known)
            self._backend.added(self._memory, list(known))
        waiting = iter([(k, t) for k, t in texts.items() if k not in known and k not in self._in_flight])
        while batch := dict(islice(waiting, _BATCH)):
            self._in_flight.update(batch)
            future = self._pool.submit(embed_passages, self.embedder, list(batch.values()))
            self._running.append((list(batch), future))

    def missing(self) -> set[int]:
        """The keys that need a vector, have none in the catalog, and are not in the queue."""
        needed = self._memory.all_keys() if self.shadow else self._memory.waiting_keys()
        wanted = sorted(needed - self._in_flight)
        return set(wanted) - self._memory.catalog.vectors_of(self.embedder.id, wanted).keys()

    def collect_many(self) -> None:
        """Store the finished vectors if they are many, as others will follow, or if too many are pending."""
        done = sum(future.done() for _, future in self._running)
        if done >= _STORED_TOGETHER or len(self._running) > _IN_FLIGHT:
            self.collect(block=False)

    def collect(self, *, block: bool) -> None:
        """Store the finished vectors, or with `block` wait for all."""
        keys: list[int] = []
        parts: list[Floats] = []
        while self._running and (block or self._running[0][1].done() or len(self._running) > _IN_FLIGHT):
            done, future = self._running.popleft()
            # Before reading the result, which may raise: then the keys count as missing and are retried.
            self._in_flight.difference_update(done)
            parts.append(future.result())
            keys += done
        if keys:
            self._store(keys, np.concatenate(parts))

    def move(self, memory: MemoryIndex) -> None:
        """Add vectors to another memory index from now on."""
        self._memory, self._stored = memory, None

    def drop_stored(self) -> None:
        """Delete the catalog's vectors of the model; the caller has just saved them elsewhere."""
        if self._memory.space is not None and not self.shadow:
            self._memory.catalog.drop_all_vectors(self.embedder.id)
            self._stored = 0

    def refresh(self) -> None:
        """Attach the vectors that another process has stored since."""
        waiting = sorted(self._memory.waiting_keys())
        self._attach(self._memory.catalog.vectors_of(self.embedder.id, waiting))

    def prune(self) -> None:
        """Delete vectors of removed text once they are the majority; until then the text may come back."""
        if self.shadow:
            return
        if self._stored is None:
            self._stored = self._memory.catalog.count_vectors(self.embedder.id)
        if self._stored <= _MOST_STORED * self._memory.live:
            return
        used = len(self._memory.all_keys())
        if self._stored > _MOST_STORED * used:
            self._memory.catalog.prune_vectors(self.embedder.id)
            self._stored = used

    def _attach(self, known: Mapping[int, bytes]) -> None:
        if known:
            vectors = np.frombuffer(b"".join(known.values()), np.float16).reshape(len(known), -1)
            self._memory.attach(np.fromiter(known, np.int64), vectors.astype(np.float32))

    def _store(self, keys: Sequence[int], vectors: Floats) -> None:
        rounded = vectors.astype(np.float16)
        catalog = self._memory.catalog
        with catalog.writing():
            catalog.add_vectors(self.embedder.id, keys, [row.tobytes() for row in rounded])
        if not self.shadow:
            self._stored = None if self._stored is None else self._stored + len(keys)
            self._memory.attach(np.array(keys, np.int64), rounded.astype(np.float32))
        self._memory.generation = catalog.generation
        self._backend.added(self._memory, keys)
