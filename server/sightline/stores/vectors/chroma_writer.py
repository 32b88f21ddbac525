"""Write-behind for Chroma: one thread keeps it equal to the catalog, in large batches, when idle."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from sightline.arrays import Floats, Integers
from sightline.stores.vectors.chroma import ChromaStore, StoreDamaged, StoreUnavailable, move_aside

_log = logging.getLogger(__name__)

_BATCH = 5000
_IDLE_SECONDS = 2.0
_FIRST_WAIT_SECONDS = 1.0
_LONGEST_WAIT_SECONDS = 60.0
# Truncated files can still be opened; vectors that no longer find themselves reveal the loss. An intact
# graph misses about one in a hundred. A graph that lost a fifth of its vectors passes the check once in
# ten runs, one that lost half once in ten million.
_SAMPLE = 64
_SAME = 0.999
_MOST_MISSING = _SAMPLE // 8


class VectorSource(Protocol):
    """Where the vectors come from, such as a memory index; called from the writer's thread."""

    def chunk_keys(self) -> set[int]:
        """The keys of all vectors that should be in the store; some may still have to be computed."""

    def vectors_of(self, keys: Sequence[int]) -> tuple[Integers, Floats]:
        """Those of the keys that have a vector, and the vectors."""


class ChromaWriter:
    """Write-behind queue; after a failure it reopens the store and compares it with the source again."""

    def __init__(
        self,
        place: Path | str,
        collection: str,
        dim: int,
        source: VectorSource,
        on_notice: Callable[[str], None] = lambda _: None,
        idle_seconds: float = _IDLE_SECONDS,
    ) -> None:
        self._place = place
        self._collection = collection
        self._dim = dim
        self._source = source
        self._on_notice = on_notice
        self._idle_seconds = idle_seconds
        # Why the store cannot be written now; empty while there is no error.
        self.error = ""
        self._store: ChromaStore | None = None
        # Key -> whether it should be in the store. A later request replaces an earlier one.
        self._pending: dict[int, bool] = {}
        self._under_way: dict[int, bool] = {}
        self._last_request = 0.0
        self._reported: StoreUnavailable | None = None
        self._flush_now = self._stopping = False
        self._wait = _FIRST_WAIT_SECONDS
        self._last_notice = ""
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="vector-store-writer", daemon=True)

    def start(self) -> None:
        """Start the thread: open the store, compare it with the source, then process requests."""
        self._thread.start()

    def enqueue(self, add: Iterable[int] = (), remove: Iterable[int] = ()) -> None:
        """Request that keys be added to or removed from the store; returns immediately."""
        with self._changed:
            self._pending.update(dict.fromkeys(remove, False))
            self._pending.update(dict.fromkeys(add, True))
            self._last_request = time.monotonic()
            self._changed.notify_all()

    def query(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """The approximately nearest keys in the store; StoreUnavailable while there is none."""
        store = self._store
        if store is None:
            raise StoreUnavailable(self.error or "The vector store is being opened.")
        try:
            return store.query(vector, k)
        except StoreUnavailable as failure:
            with self._changed:
                # The writer may have nothing to write for hours, so it would not notice the failure itself.
                self._reported = failure
                self._changed.notify_all()
            raise

    def unwritten(self) -> set[int] | None:
        """The keys that a query cannot find yet; None if the store has not been compared yet."""
        with self._changed:
            if self._store is None:
                return None
            return {key for key, wanted in (self._under_way | self._pending).items() if wanted}

    def drain(self, timeout: float) -> bool:
        """Write everything now; whether that finished within the timeout."""
        with self._changed:
            self._flush_now = True
            self._changed.notify_all()
            done = self._changed.wait_for(
                lambda: self._all_written() or bool(self.error) or self._stopping, timeout
            )
            self._flush_now = False
            return done and self._all_written()

    def close(self, timeout: float = 10.0) -> None:
        """Write what is pending if time allows, and stop; the next start finds what is missing."""
        if not self._thread.is_alive():
            return
        self.drain(timeout)
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self._thread.join(timeout)

    def _all_written(self) -> bool:
        return self._store is not None and not self._pending and not self._under_way

    def _run(self) -> None:
        while not self._stopping:
            try:
                self._step()
            except Exception as failure:  # top level of the thread: whatever was raised, a retry may succeed
                if self._stopping:
                    # No caller waits any more; the source may be closed and the folder deleted. The next
                    # start compares anyway.
                    break
                self._recover(failure)
        self._close_store()

    def _recover(self, failure: Exception) -> None:
        """Report a failure and prepare the next attempt."""
        if isinstance(failure, StoreUnavailable):
            self._fail(str(failure))
        else:
            _log.error("writing the vector store", exc_info=failure)
            self._fail(f"The vector store cannot be written ({failure}).")
        if isinstance(failure, StoreDamaged):
            self._move_damaged_aside()

    def _step(self) -> None:
        if self._store is None:
            self._open()
        elif self._wait_for_batch():
            self._write(self._store, self._under_way)
            with self._changed:
                self._under_way = {}
                self._changed.notify_all()
            self._wait, self._last_notice = _FIRST_WAIT_SECONDS, ""

    def _open(self) -> None:
        store = ChromaStore.open(self._place, self._collection, self._dim)
        if store.notice:
            self._notify(store.notice)
        try:
            self._compare(store)
        except BaseException:
            # Otherwise its process would keep running and hold the folder's lock.
            store.close()
            raise

    def _compare(self, store: ChromaStore) -> None:
        """Turn the difference between store and source into pending requests."""
        with self._changed:
            # Earlier requests are in the source by now; requests from here on override the difference.
            self._pending = {}
        wanted = self._source.chunk_keys()
        present = store.keys()
        unwanted: set[int] = set()
        # A server may also hold vectors of other users' copies of this folder: do not check or remove those.
        if isinstance(self._place, Path):
            self._check(store, sorted(wanted & present))
            unwanted = present - wanted
        with self._changed:
            difference = dict.fromkeys(wanted - present, True) | dict.fromkeys(unwanted, False)
            self._pending = difference | self._pending
            self._store = store
            self._reported = None
            self.error = ""
            self._changed.notify_all()

    def _check(self, store: ChromaStore, known: list[int]) -> None:
        _, vectors = self._source.vectors_of(random.sample(known, min(_SAMPLE, len(known))))
        lost = sum(not any(score > _SAME for _, score in store.query(row, 1)) for row in vectors)
        if lost > _MOST_MISSING:
            raise StoreDamaged("The vector store no longer finds its own vectors.")

    def _wait_for_batch(self) -> bool:
        """Wait until there is a batch worth writing; False if it is time to stop."""
        with self._changed:
            while not self._stopping and not self._reported and not self._due():
                self._changed.wait(self._idle_seconds if self._pending else None)
            if self._reported:
                raise self._reported
            if self._stopping:
                return False
            # Pop from the end: half a million requests may remain, and searches wait while the lock is held.
            count = min(_BATCH, len(self._pending))
            self._under_way = dict(self._pending.popitem() for _ in range(count))
            return True

    def _due(self) -> bool:
        idle = time.monotonic() - self._last_request >= self._idle_seconds
        return bool(self._pending) and (self._flush_now or idle or len(self._pending) >= _BATCH)

    def _write(self, store: ChromaStore, batch: dict[int, bool]) -> None:
        added = [key for key, wanted in batch.items() if wanted]
        if added:
            keys, vectors = self._source.vectors_of(added)
            store.upsert(keys.tolist(), vectors)
        if isinstance(self._place, Path):
            store.delete([key for key, wanted in batch.items() if not wanted])

    def _move_damaged_aside(self) -> None:
        if isinstance(self._place, Path):
            try:
                self._notify(move_aside(self._place))
            except StoreUnavailable as failure:
                self._notify(str(failure))

    def _fail(self, reason: str) -> None:
        """Close the store and wait before the next attempt, which compares everything again."""
        self._close_store()
        with self._changed:
            self.error = reason
            self._under_way = {}
            self._changed.notify_all()
        self._notify(reason)
        # Jitter: many servers that lost the same Chroma must not all reconnect in the same second.
        seconds = self._wait * random.uniform(0.5, 1.0)
        self._wait = min(2 * self._wait, _LONGEST_WAIT_SECONDS)
        with self._changed:
            self._changed.wait_for(lambda: self._stopping, seconds)

    def _notify(self, sentence: str) -> None:
        if sentence != self._last_notice:
            self._last_notice = sentence
            self._on_notice(sentence)

    def _close_store(self) -> None:
        with self._changed:
            store, self._store = self._store, None
        if store is not None:
            store.close()
