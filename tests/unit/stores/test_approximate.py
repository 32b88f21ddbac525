"""The store above the exact limit: candidates are approximate, counts and scores are exact."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline.stores.memory.key_table import KeyTable
from sightline.stores.vectors.approximate import Approximate
from sightline.stores.vectors.chroma import StoreUnavailable
from sightline.stores.vectors.matrix import Matrix
from tests.unit.stores.vector_samples import DIM, Source, unit

COUNT = 12_000


@dataclass
class ExactRetriever:
    """Replaces Chroma, over the same source, without the misses of HNSW."""

    source: Source
    missing: set[int] = field(default_factory=set)
    down: bool = False
    asked: list[int] = field(default_factory=list)

    def query(self, vector: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        if self.down:
            raise StoreUnavailable("down")
        self.asked.append(k)
        keys = [key for key in self.source.vectors if key not in self.missing]
        scores = np.array([self.source.vectors[key] for key in keys]) @ vector
        return [(keys[place], float(scores[place])) for place in np.argsort(-scores)[:k]]

    def unwritten(self) -> set[int] | None:
        return self.missing


@dataclass
class Pair:
    """The same vectors searched exactly and through a retriever, many slots sharing a key."""

    retriever: ExactRetriever
    approximate: Approximate
    matrix: Matrix


@pytest.fixture(scope="module")
def filled() -> tuple[Source, NDArray[np.int64]]:
    source = Source()
    keys = np.array(source.fill(COUNT * 3 // 4, seed=1))
    return source, np.random.default_rng(2).permutation(np.concatenate([keys, keys[: COUNT - len(keys)]]))


@pytest.fixture
def pair(filled: tuple[Source, NDArray[np.int64]]) -> Pair:
    source, column = filled
    retriever = ExactRetriever(source)
    matrix = Matrix(DIM)
    matrix.set(np.arange(len(column)), np.array([source.vectors[int(key)] for key in column]))
    for slot in range(0, len(column), 7):
        matrix.remove(slot)
    return Pair(retriever, Approximate(matrix, KeyTable(lambda: column), retriever), matrix)


def check(pair: Pair, k: int, allowed: NDArray[np.bool_] | None, seed: int = 3) -> None:
    query = unit(1, seed)[0]
    slots, scores = pair.approximate.nearest(query, k, allowed)
    expected_slots, expected_scores = pair.matrix.nearest(query, k, allowed)
    assert slots.tolist() == expected_slots.tolist()
    assert scores.tolist() == expected_scores.tolist()


def test_the_approximate_store_answers_like_the_exact_one(pair: Pair) -> None:
    for seed in range(5):
        check(pair, 50, None, seed)
    assert pair.retriever.asked == [400] * 5


@pytest.mark.parametrize("share", [0.9, 0.6, 0.05, 0.001, 0.0])
def test_a_filtered_query_always_gets_enough_results(pair: Pair, share: float) -> None:
    check(pair, 50, np.random.default_rng(4).random(COUNT) < share)


def test_a_filter_far_from_the_query_always_gets_enough_results(pair: Pair) -> None:
    query = unit(1, 3)[0]
    allowed = pair.matrix.cosines(query, np.arange(COUNT)) < 0
    assert allowed.sum() > 5000
    check(pair, 50, allowed)
    assert len(pair.retriever.asked) > 1


def test_vectors_that_are_not_written_yet_are_found(
    pair: Pair, filled: tuple[Source, NDArray[np.int64]]
) -> None:
    nearest = pair.matrix.nearest(unit(1, 3)[0], 1)[0]
    pair.retriever.missing = {int(filled[1][nearest[0]])}
    check(pair, 30, None)


def test_an_outage_makes_the_answer_slower_but_not_wrong(pair: Pair) -> None:
    pair.retriever.down = True
    check(pair, 30, None)


@given(
    first=st.lists(st.integers(-5, 5), max_size=40),
    more=st.lists(st.integers(-5, 5), max_size=40),
    wanted=st.sets(st.integers(-7, 7)),
    longest=st.integers(0, 30),
)
def test_the_key_table_finds_every_slot_of_a_key(
    first: list[int], more: list[int], wanted: set[int], longest: int
) -> None:
    column = np.array(first, dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sightline.stores.memory.key_table._LONGEST_TAIL", longest)
        table = KeyTable(lambda: column)
        for keys in (first, first + more):
            column = np.array(keys, dtype=np.int64)
            expected = [slot for slot, key in enumerate(keys) if key in wanted]
            assert table.slots(wanted).tolist() == expected
