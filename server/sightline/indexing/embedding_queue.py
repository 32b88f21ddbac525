"""Computes vectors for the chunks of one folder on a separate thread while parsing continues."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import islice

import numpy as np

from sightline.arrays import Floats, Integers
from sightline.embedding import Embedder, ModelUnavailable, embed_passages
from sightline.indexing.vector_backend import VectorBackend
from sightline.stores.memory.memory_index import MemoryIndex

# Large enough to keep the tokenizer busy, small enough that a search never waits long for one batch.
_BATCH = 256
# The maximum number of pending batches; bounds memory when parsing is faster than embedding.
_IN_FLIGHT = 16
# Vectors that are moved at a time from one memory index to another; bounds memory.
_MOVED_AT_ONCE = 1 << 13
# float16 has three significant digits; a larger deviation means a damaged vector.
_NORM_TOLERANCE = 0.02
# The maximum number of stored vectors per vector in use; all are read at every start.
_MOST_STORED = 2


class EmbeddingQueue:
    """Embeds texts without a vector, stores the vectors in the catalog and adds them to the memory index."""

    def __init__(self, memory: MemoryIndex, load: Callable[[], Embedder], backend: VectorBackend) -> None:
        self.memory = memory
        self.embedder: Embedder | None = None
        self.error = ""
        self._answering: Embedder | None = None
        self._backend = backend
        self._pool = ThreadPoolExecutor(1, "sightline-embed")
        self._loading: Future[Embedder] | None = self._pool.submit(load)
        self._backlog: dict[int, str] = {}
        # The id of the model, the keys and the vectors of each batch that was submitted.
        self._running: deque[tuple[str, list[int], Future[Floats]]] = deque()
        self._in_flight: set[int] = set()
        # How many vectors of the model the catalog has; None until it is first needed.
        self._stored: int | None = None

    def close(self) -> None:
        """Stop without finishing pending work; the next start finds it again."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def shadow(self) -> bool:
        """Whether vectors of a new model are being computed while queries still use the old ones."""
        return (
            self.embedder is not None
            and self.memory.space is not None
            and (self.memory.space.model != self.embedder.id)
        )

    @property
    def busy(self) -> bool:
        """Whether vectors are being computed."""
        return bool(self._running or self._backlog)

    def rest(self) -> None:
        """Wait briefly for the oldest running batch."""
        if self._running:
            wait([self._running[0][2]], timeout=0.05)

    @property
    def answering(self) -> Embedder | None:
        """The model of the vectors that queries use now, None while there are none."""
        return self._answering if self.memory.space is not None else None

    def ready(self, *, block: bool) -> bool:
        """Whether the model is loaded; if it cannot be loaded, `error` has the reason."""
        return self._loaded(block) is not None

    def _loaded(self, block: bool) -> Embedder | None:
        if self._loading is not None and (block or self._loading.done()):
            loading, self._loading = self._loading, None
            try:
                self._start(loading.result())
            except ModelUnavailable as error:
                self.error = str(error)
                self._backlog.clear()
        return self.embedder

    def enqueue(self, texts: Mapping[int, str]) -> None:
        """Queue these texts for embedding."""
        if self.error:
            return
        self._backlog.update(texts)
        if embedder := self._loaded(block=len(self._backlog) > _BATCH * _IN_FLIGHT):
            self._submit(embedder)

    def missing(self, keys: Iterable[int]) -> set[int]:
        """The keys that have no vector in the catalog and are not in the queue."""
        if self.embedder is None:
            return set()
        wanted = sorted(set(keys) - self._in_flight - self._backlog.keys())
        return set(wanted) - self.memory.catalog.vectors_of(self.embedder.id, wanted).keys()

    def collect(self, *, block: bool) -> bool:
        """Store the finished vectors, or with `block` wait for all; return whether there were any."""
        if self._backlog and (embedder := self._loaded(block)):
            self._submit(embedder)
        model = ""
        keys: list[int] = []
        parts: list[Floats] = []
        while self._running and (block or self._running[0][2].done() or len(self._running) > _IN_FLIGHT):
            model, done, future = self._running.popleft()
            # Before reading the result, which may raise: then the keys count as missing and are retried.
            self._in_flight.difference_update(done)
            parts.append(future.result())
            keys += done
        if keys:
            self._store(model, keys, np.concatenate(parts))
        return bool(keys)

    def change_model(self, load: Callable[[], Embedder]) -> None:
        """Start computing vectors of another model; queries use the old ones until all are ready."""
        self.collect(block=True)
        self.error = ""
        self.embedder = None
        self._loading = self._pool.submit(load)

    def move(self, memory: MemoryIndex) -> None:
        """Switch to another memory index; it has all vectors before a query against it is embedded."""
        if self._answering is not None:
            self._fill(memory, self._answering, self.memory)
        self.memory = memory

    def refill(self) -> None:
        """Replace the vector space that queries use by one with the same vectors."""
        if self._answering is not None:
            self._fill(self.memory, self._answering)

    def drop_stored(self) -> None:
        """Delete the catalog's vectors of the model in use; the caller has just saved them elsewhere."""
        if self.embedder is not None and not self.shadow and self.memory.space is not None:
            self.memory.catalog.drop_all_vectors(self.embedder.id)
            self._stored = 0

    def refresh(self) -> None:
        """Attach the vectors that another process has stored since."""
        if self.embedder is None:
            return
        known = self.memory.catalog.vectors_of(self.embedder.id, sorted(self.memory.waiting_keys()))
        self._attach(known)

    def switch(self) -> None:
        """Use the new model's vectors for queries, once they are all ready."""
        if self.embedder is not None and self.shadow:
            self._fill(self.memory, self.embedder)

    def prune(self) -> None:
        """Delete vectors of removed text once they are the majority; until then the text may come back."""
        if self.embedder is None or self.shadow:
            return
        if self._stored is None:
            self._stored = self.memory.catalog.count_vectors(self.embedder.id)
        if self._stored <= _MOST_STORED * self.memory.live:
            return
        used = len(self.memory.all_keys())
        if self._stored > _MOST_STORED * used:
            self.memory.catalog.prune_vectors(self.embedder.id)
            self._stored = used

    def _start(self, embedder: Embedder) -> None:
        self.embedder = embedder
        if not self.shadow or self._answering is None:
            self._fill(self.memory, embedder)

    def _fill(self, memory: MemoryIndex, embedder: Embedder, previous: MemoryIndex | None = None) -> None:
        """Use a model's vectors for queries, from the memory index, the catalog and the previous index."""
        kept = memory.space is not None and memory.space.model == embedder.id
        memory.switch(self._backend.space(memory, embedder.id, embedder.dim), filled=kept)
        self._answering, self._stored = embedder, None
        if kept:
            known = memory.catalog.vectors_of(embedder.id, sorted(memory.waiting_keys()))
            blocks: Iterable[tuple[list[int], bytes]] = [(list(known), b"".join(known.values()))]
        else:
            blocks = memory.catalog.vectors(embedder.id)
        for keys, raw in blocks:
            self._attach_valid(memory, embedder, keys, raw)
        if previous is not None and _has_vectors(previous, embedder):
            _attach_from(previous, memory)
        self._backend.start()

    def _attach_valid(self, memory: MemoryIndex, embedder: Embedder, keys: Sequence[int], raw: bytes) -> None:
        good, vectors = _valid_vectors(np.array(keys, np.int64), raw, embedder.dim)
        if len(good) < len(keys) and memory.catalog.writable:
            memory.catalog.drop_vectors(embedder.id, sorted(set(keys) - set(good.tolist())))
        memory.attach(good, vectors)

    def _submit(self, embedder: Embedder) -> None:
        known = self.memory.catalog.vectors_of(embedder.id, list(self._backlog))
        if not self.shadow:
            self._attach(known)
            self._backend.added(self.memory, list(known))
        fresh = {k: t for k, t in self._backlog.items() if k not in known and k not in self._in_flight}
        self._backlog.clear()
        waiting = iter(fresh.items())
        while batch := dict(islice(waiting, _BATCH)):
            keys, texts = list(batch), list(batch.values())
            self._in_flight.update(keys)
            future = self._pool.submit(embed_passages, embedder, texts)
            self._running.append((embedder.id, keys, future))

    def _attach(self, known: Mapping[int, bytes]) -> None:
        if known:
            vectors = np.frombuffer(b"".join(known.values()), np.float16).reshape(len(known), -1)
            self.memory.attach(np.fromiter(known, np.int64), vectors.astype(np.float32))

    def _store(self, model: str, keys: Sequence[int], vectors: Floats) -> None:
        rounded = vectors.astype(np.float16)
        catalog = self.memory.catalog
        with catalog.writing():
            catalog.add_vectors(model, keys, [row.tobytes() for row in rounded])
        if not self.shadow:
            self._stored = None if self._stored is None else self._stored + len(keys)
            self.memory.attach(np.array(keys, np.int64), rounded.astype(np.float32))
        self.memory.generation = catalog.generation
        self._backend.added(self.memory, keys)


def _has_vectors(memory: MemoryIndex, embedder: Embedder) -> bool:
    space = memory.space
    return space is not None and space.model == embedder.id and not memory.saved.damaged


def _attach_from(source: MemoryIndex, target: MemoryIndex) -> None:
    """Attach the vectors for which one memory index waits and that another one has."""
    waiting = iter(sorted(target.waiting_keys()))
    while keys := list(islice(waiting, _MOVED_AT_ONCE)):
        target.attach(*source.vectors_of(keys))


def _valid_vectors(keys: Integers, raw: bytes, dim: int) -> tuple[Integers, Floats]:
    """The undamaged vectors: of the right size, and with norm one or zero."""
    if len(raw) != len(keys) * dim * 2:
        return keys[:0], np.zeros((0, dim), np.float32)
    vectors = np.frombuffer(raw, np.float16).reshape(len(keys), dim).astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    good = (np.abs(norms - 1) < _NORM_TOLERANCE) | (norms == 0)
    return (keys, vectors) if good.all() else (keys[good], vectors[good])
