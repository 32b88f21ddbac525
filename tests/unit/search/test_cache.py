"""Which answers are cached, and when they are evicted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sightline.search.results.cache import QueryCache

WORDS = frozenset({"read", "json"})


def unit(angle: float) -> NDArray[np.float32]:
    return np.array([np.cos(angle), np.sin(angle)], np.float32)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_cached_answer_is_found_by_the_same_query_only() -> None:
    cache: QueryCache[str] = QueryCache(60, 0.95)
    cache.put(1, "read json", "p", WORDS, None, "answer")
    assert cache.exact(1, "read json", "p") == "answer"
    assert cache.exact(1, "read json", "other parameters") is None
    assert cache.exact(1, "write json", "p") is None


def test_a_new_generation_empties_the_cache() -> None:
    cache: QueryCache[str] = QueryCache(60, 0.95)
    cache.put(1, "read json", "p", WORDS, None, "answer")
    assert cache.exact(2, "read json", "p") is None
    assert cache.exact(1, "read json", "p") is None


def test_an_old_answer_is_evicted() -> None:
    clock = Clock()
    cache: QueryCache[str] = QueryCache(60, 0.95, clock)
    cache.put(1, "read json", "p", WORDS, None, "answer")
    clock.now = 61
    assert cache.exact(1, "read json", "p") is None


def test_a_query_with_a_near_vector_and_the_same_terms_shares_the_answer() -> None:
    cache: QueryCache[str] = QueryCache(60, 0.95)
    cache.put(1, "read json", "p", WORDS, unit(0), "answer")
    assert cache.near(1, "p", WORDS, unit(0.1)) == "answer"
    assert cache.near(1, "p", WORDS, unit(0.5)) is None
    assert cache.near(1, "p", frozenset({"write", "json"}), unit(0.1)) is None
    assert cache.near(1, "other", WORDS, unit(0.1)) is None
    assert cache.near(1, "p", WORDS, None) is None


def test_the_size_of_the_cache_is_bounded() -> None:
    cache: QueryCache[int] = QueryCache(60, 0.95)
    for number in range(1000):
        cache.put(1, str(number), "p", WORDS, None, number)
    assert cache.exact(1, "0", "p") is None
    assert cache.exact(1, "999", "p") == 999
