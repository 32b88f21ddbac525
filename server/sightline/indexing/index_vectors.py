"""The vectors of one folder's index: loads the model, and decides which vectors queries use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice

import numpy as np

from sightline.arrays import Floats, Integers
from sightline.embedding import Embedder, ModelUnavailable
from sightline.indexing.embedding_queue import EmbeddingQueue
from sightline.indexing.vector_backend import VectorBackend
from sightline.stores.memory.memory_index import MemoryIndex

# The maximum number of texts that wait for the model; then parsing waits too, which bounds memory.
_MOST_WAITING = 4096
# Vectors that are moved at a time from one memory index to another; bounds memory.
_MOVED_AT_ONCE = 1 << 13
# float16 has three significant digits; a larger deviation means a damaged vector.
_NORM_TOLERANCE = 0.02


class _Loading:
    """A model that is being loaded, and the texts that wait for it."""

    def __init__(self, model: Future[Embedder]) -> None:
        self.model = model
        self.texts: dict[int, str] = {}


class IndexVectors:
    """Owns the model of an index, its queue of texts, and the choice of the vectors that answer queries."""

    def __init__(self, memory: MemoryIndex, load: Callable[[], Embedder], backend: VectorBackend) -> None:
        self._memory = memory
        self._backend = backend
        self._pool = ThreadPoolExecutor(1, "sightline-embed")
        # What the model is: being loaded, in use, or the reason why it cannot be loaded.
        self._state: _Loading | EmbeddingQueue | ModelUnavailable = _Loading(self._pool.submit(load))
        self._answering: Embedder | None = None

    def close(self) -> None:
        """Stop without finishing pending work; the next start finds it again."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def error(self) -> str:
        """Why the model cannot be loaded; empty if it can."""
        return str(self._state) if isinstance(self._state, ModelUnavailable) else ""

    @property
    def queue(self) -> EmbeddingQueue | None:
        """The queue of the model; None while there is no model."""
        return self._state if isinstance(self._state, EmbeddingQueue) else None

    @property
    def answering(self) -> Embedder | None:
        """The model of the vectors that queries use now, None while there are none."""
        return self._answering if self._memory.space is not None else None

    def loaded(self, *, block: bool) -> EmbeddingQueue | None:
        """The queue of the model, once that is loaded; `block` waits for it."""
        state = self._state
        if isinstance(state, _Loading) and (block or state.model.done()):
            try:
                self._start(state.model.result(), state.texts)
            except ModelUnavailable as error:
                self._state = error
        return self.queue

    def enqueue(self, texts: Mapping[int, str]) -> None:
        """Queue these texts for embedding; they wait while the model is being loaded."""
        state = self._state
        if isinstance(state, _Loading):
            state.texts.update(texts)
            self.loaded(block=len(state.texts) > _MOST_WAITING)
        elif isinstance(state, EmbeddingQueue):
            state.enqueue(texts)

    def change_model(self, load: Callable[[], Embedder]) -> None:
        """Start computing vectors of another model; queries use the old ones until all are ready."""
        if self.queue:
            self.queue.collect(block=True)
        self._state = _Loading(self._pool.submit(load))

    def move(self, memory: MemoryIndex) -> None:
        """Switch to another memory index; it has all vectors before a query against it is embedded."""
        if self._answering is not None:
            self._fill(memory, self._answering, self._memory)
        self._memory = memory
        if self.queue:
            self.queue.move(memory)

    def refill(self) -> None:
        """Replace the vector space that queries use by one with the same vectors."""
        if self._answering is not None:
            self._fill(self._memory, self._answering)

    def switch(self) -> None:
        """Use the new model's vectors for queries, once they are all ready."""
        if self.queue and self.queue.shadow:
            self._fill(self._memory, self.queue.embedder)

    def _start(self, embedder: Embedder, texts: Mapping[int, str]) -> None:
        queue = EmbeddingQueue(self._memory, embedder, self._backend, self._pool)
        if not queue.shadow or self._answering is None:
            self._fill(self._memory, embedder)
        self._state = queue
        queue.enqueue(texts)

    def _fill(self, memory: MemoryIndex, embedder: Embedder, previous: MemoryIndex | None = None) -> None:
        """Use a model's vectors for queries, from the memory index, the catalog and the previous index."""
        kept = memory.space is not None and memory.space.model == embedder.id
        memory.switch(self._backend.space(memory, embedder.id, embedder.dim), filled=kept)
        self._answering = embedder
        if kept:
            known = memory.catalog.vectors_of(embedder.id, sorted(memory.waiting_keys()))
            blocks: Iterable[tuple[list[int], bytes]] = [(list(known), b"".join(known.values()))]
        else:
            blocks = memory.catalog.vectors(embedder.id)
        for keys, raw in blocks:
            _attach_valid(memory, embedder, keys, raw)
        if previous is not None and _has_vectors(previous, embedder):
            _attach_from(previous, memory)
        self._backend.start()


def _has_vectors(memory: MemoryIndex, embedder: Embedder) -> bool:
    space = memory.space
    return space is not None and space.model == embedder.id and not memory.saved.damaged


def _attach_from(source: MemoryIndex, target: MemoryIndex) -> None:
    """Attach the vectors for which one memory index waits and that another one has."""
    waiting = iter(sorted(target.waiting_keys()))
    while keys := list(islice(waiting, _MOVED_AT_ONCE)):
        target.attach(*source.vectors_of(keys))


def _attach_valid(memory: MemoryIndex, embedder: Embedder, keys: Sequence[int], raw: bytes) -> None:
    """Attach stored vectors, and delete damaged ones from the catalog."""
    good, vectors = _valid_vectors(np.array(keys, np.int64), raw, embedder.dim)
    if len(good) < len(keys) and memory.catalog.writable:
        memory.catalog.drop_vectors(embedder.id, sorted(set(keys) - set(good.tolist())))
    memory.attach(good, vectors)


def _valid_vectors(keys: Integers, raw: bytes, dim: int) -> tuple[Integers, Floats]:
    """The undamaged vectors: of the right size, and with norm one or zero."""
    if len(raw) != len(keys) * dim * 2:
        return keys[:0], np.zeros((0, dim), np.float32)
    vectors = np.frombuffer(raw, np.float16).reshape(len(keys), dim).astype(np.float32)
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    good = (np.abs(norms - 1) < _NORM_TOLERANCE) | (norms == 0)
    return (keys, vectors) if good.all() else (keys[good], vectors[good])
