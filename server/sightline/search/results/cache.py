"""Caches answers for a while: for the same query, or one with nearly the same meaning."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from sightline.arrays import Floats

_CAPACITY = 256

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class _Entry(Generic[Answer]):
    answer: Answer
    born: float
    rest: Hashable
    words: frozenset[str]
    vector: Floats | None

    def near(self, vector: Floats, nearness: float) -> bool:
        return self.vector is not None and float(self.vector @ vector) >= nearness


class QueryCache(Generic[Answer]):
    """Two levels: all parameters equal, or all but the text equal and the texts' vectors nearly equal."""

    def __init__(
        self, ttl_seconds: float, nearness: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ttl = ttl_seconds
        self._nearness = nearness
        self._clock = clock
        self._lock = threading.Lock()
        self._generation: Hashable = None
        self._entries: OrderedDict[tuple[str, Hashable], _Entry[Answer]] = OrderedDict()

    def exact(self, generation: Hashable, text: str, rest: Hashable) -> Answer | None:
        """The answer to exactly this query, if the index has not changed since."""
        with self._lock:
            self._evict(generation)
            entry = self._entries.get((text, rest))
            if entry is not None:
                self._entries.move_to_end((text, rest))
            return None if entry is None else entry.answer

    def near(
        self, generation: Hashable, rest: Hashable, words: frozenset[str], vector: Floats | None
    ) -> Answer | None:
        """The answer to a query with the same terms and nearly the same meaning."""
        if vector is None:
            return None
        with self._lock:
            self._evict(generation)
            for entry in reversed(self._entries.values()):
                if entry.words == words and entry.rest == rest and entry.near(vector, self._nearness):
                    return entry.answer
        return None

    def put(
        self,
        generation: Hashable,
        text: str,
        rest: Hashable,
        words: frozenset[str],
        vector: Floats | None,
        answer: Answer,
    ) -> None:
        """Store an answer computed from this generation."""
        with self._lock:
            self._evict(generation)
            self._entries[text, rest] = _Entry(answer, self._clock(), rest, words, vector)
            if len(self._entries) > _CAPACITY:
                self._entries.popitem(last=False)

    def _evict(self, generation: Hashable) -> None:
        """Drop all entries of another generation, and all expired ones."""
        if generation != self._generation:
            self._entries.clear()
            self._generation = generation
        oldest = self._clock() - self._ttl
        for key in [key for key, entry in self._entries.items() if entry.born < oldest]:
            del self._entries[key]
