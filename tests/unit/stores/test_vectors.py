"""The in-memory vectors, compared with a full sort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.arrays import Floats, Integers
from sightline.stores.vectors import signs
from sightline.stores.vectors.matrix import Matrix, kth
from tests.unit.stores.vector_samples import DIM, best_first, unit

# Force the path for very many vectors.
_SCANNED = {"_MOST_DECODED": 0, "_RESCORED": 0, "_LEAST_RATIO": 1, "_SAMPLE": 8, "_BLOCK": 16}


def slots(*numbers: int) -> Integers:
    return np.array(numbers, dtype=np.int64)


@given(
    count=st.integers(0, 300),
    distinct=st.integers(1, 40),
    dead=st.sets(st.integers(0, 299)),
    share=st.floats(0, 1),
    k=st.integers(0, 50),
    seed=st.integers(0, 99),
    scanned=st.booleans(),
)
def test_the_top_results_equal_those_of_a_full_sort(
    count: int, distinct: int, dead: set[int], share: float, k: int, seed: int, scanned: bool
) -> None:
    rng = np.random.default_rng(seed)
    pool = unit(distinct, seed)
    rows = pool[rng.integers(0, distinct, count)]
    matrix = Matrix(DIM)
    matrix.set(np.arange(count), rows)
    for slot in dead:
        matrix.remove(slot)
    allowed = rng.random(count) < share
    query = unit(1, seed + 1)[0]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in _SCANNED.items() if scanned else ():
            patch.setattr(f"sightline.stores.vectors.matrix.{name}", value)
        found, scores = best_first(matrix, query, k, allowed)
    usable = [slot for slot in range(count) if allowed[slot] and slot not in dead]
    cosines = dict(zip(range(count), matrix.cosines(query, np.arange(count)).tolist(), strict=True))
    expected = sorted(usable, key=lambda slot: (-cosines[slot], slot))[:k]
    assert found.tolist() == expected
    assert scores.tolist() == [cosines[slot] for slot in expected]
    np.testing.assert_allclose([cosines[slot] for slot in usable], (rows @ query)[usable], atol=5e-5)


@given(
    values=st.lists(st.sampled_from([-np.inf, 0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=300),
    share=st.floats(0, 1),
)
def test_the_kth_score_is_that_of_a_full_sort(values: list[float], share: float) -> None:
    scores, k = np.array(values, np.float32), max(1, int(share * len(values)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sightline.stores.vectors.matrix._SAMPLE", 8)
        patch.setattr("sightline.stores.vectors.matrix._LEAST_RATIO", 1)
        patch.setattr("sightline.stores.vectors.matrix._LEAST_RANK", 1)
        assert kth(scores, k) == sorted(values)[-k]


# Force the path for very many vectors, where signs choose which rows are scored.
_BY_SIGNS = {**_SCANNED, "_MOST_SCANNED": 0, "_LEAST_SCORED": 40, "_SCORED_RATIO": 4}


@given(
    edits=st.lists(st.tuples(st.sets(st.integers(0, 200), max_size=60), st.booleans()), max_size=6),
    share=st.floats(0, 1),
    k=st.integers(1, 50),
    seed=st.integers(0, 99),
)
def test_rows_chosen_by_signs_are_enough_and_have_exact_scores(
    edits: list[tuple[set[int], bool]], share: float, k: int, seed: int
) -> None:
    edited, rng = Matrix(DIM), np.random.default_rng(seed)
    for number, (changed, removed) in enumerate(edits):
        if removed:
            for slot in changed:
                edited.remove(slot)
        else:
            edited.set(slots(*sorted(changed)), unit(len(changed), seed + number))
    restored, size = Matrix(DIM), 201
    restored.use({name: each.rows for name, each in edited.arrays(size).items()}, size)
    query, allowed = unit(1, seed)[0], rng.random(size) < share
    usable = np.flatnonzero(edited.usable(allowed))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in _BY_SIGNS.items():
            patch.setattr(f"sightline.stores.vectors.matrix.{name}", value)
        found, scores = best_first(edited, query, k, allowed)
        assert found.tolist() == best_first(restored, query, k, allowed)[0].tolist()
    assert len(found) == len(set(found.tolist())) == min(k, len(usable))
    assert set(found.tolist()) <= set(usable.tolist())
    assert scores.tolist() == edited.cosines(query, found).tolist() == sorted(scores.tolist(), reverse=True)


@given(
    edits=st.lists(st.sets(st.integers(0, 3000), min_size=1, max_size=20), min_size=1, max_size=6),
    most=st.sampled_from([0, 1500, 1 << 13]),
)
def test_vectors_kept_decoded_follow_every_edit(edits: list[set[int]], most: int) -> None:
    edited, query = Matrix(DIM), unit(1, 0)[0]
    rows: dict[int, Floats] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sightline.stores.vectors.matrix._MOST_DECODED", most)
        for number, changed in enumerate(edits):
            rows |= dict(zip(sorted(changed), unit(len(changed), number), strict=True))
            edited.set(slots(*sorted(changed)), unit(len(changed), number))
            found, scores = best_first(edited, query, 10)
            fresh = Matrix(DIM)
            fresh.set(slots(*rows), np.array([*rows.values()]))
            assert found.tolist() == best_first(fresh, query, 10)[0].tolist()
            assert scores.tolist() == fresh.cosines(query, found).tolist()
            assert np.array_equal(edited.get(slots(*rows)), fresh.get(slots(*rows)))


@given(
    rows=st.integers(1, 40),
    dim=st.sampled_from([1, 64, 100, 256, 384, 1024]),
    block=st.integers(1, 50),
    seed=st.integers(0, 99),
)
def test_the_agreement_of_signs_is_the_number_of_equal_bits(
    rows: int, dim: int, block: int, seed: int
) -> None:
    vectors, query = unit(rows, seed, dim), unit(1, seed + 100, dim)[0]
    words, padding = signs._packed(vectors > 0), -dim % 256
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signs, "_BLOCK", block)
        found = signs._agreement(words, query > 0)
    equal = ((vectors > 0) == (query > 0)).sum(axis=1)
    assert found.tolist() == (equal + padding).tolist()


def test_a_snapshot_without_signs_gets_them_from_its_vectors() -> None:
    matrix, opened = Matrix(DIM), Matrix(DIM)
    matrix.set(np.arange(100), unit(100, 1))
    arrays = {name: each.rows for name, each in matrix.arrays(100).items()}
    opened.use({name: array for name, array in arrays.items() if "signs" not in name}, 100)
    assert all(np.array_equal(each.rows, arrays[name]) for name, each in opened.arrays(100).items())


def test_signs_choose_nearly_all_of_the_nearest_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = unit(400, 1, 256).repeat(20, axis=0) + 0.05 * unit(8000, 2, 256) * 16**0.5
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    matrix = Matrix(256)
    matrix.set(np.arange(len(rows)), rows)
    queries = unit(400, 1, 256)[:20] + 0.5 * unit(20, 3, 256)
    exact = [best_first(matrix, query, 20)[0] for query in queries]
    for name, value in {"_MOST_SCANNED": 0, "_RESCORED": 0, "_LEAST_SCORED": 100, "_SCORED_RATIO": 5}.items():
        monkeypatch.setattr(f"sightline.stores.vectors.matrix.{name}", value)
    found = [best_first(matrix, query, 20)[0] for query in queries]
    shares = [np.isin(one, other).mean() for one, other in zip(exact, found, strict=True)]
    assert np.mean(shares) > 0.98


def test_equal_vectors_have_bitwise_equal_scores_in_any_slot() -> None:
    matrix = Matrix(256)
    row = unit(1, 1, 256)
    matrix.set(np.arange(5000), np.repeat(row, 5000, axis=0))
    found, scores = best_first(matrix, unit(1, 2, 256)[0], 100)
    assert found.tolist() == list(range(100))
    assert len(set(scores.tolist())) == 1


def test_a_removed_slot_is_not_found_until_it_is_set_again() -> None:
    matrix = Matrix(DIM)
    rows = unit(3, 3)
    matrix.set(np.arange(3), rows)
    matrix.remove(1)
    assert not matrix.has(1)
    assert 1 not in best_first(matrix, rows[1], 3)[0]
    assert matrix.cosines(rows[1], slots(1)).tolist() == [0.0]
    matrix.set(slots(1), rows[1:2])
    assert best_first(matrix, rows[1], 1)[0].tolist() == [1]
    assert matrix.count == 3


def test_growing_keeps_existing_vectors_and_leaves_gaps_empty() -> None:
    matrix = Matrix(DIM)
    rows = unit(2, 4)
    matrix.set(slots(0), rows[:1])
    matrix.set(slots(10_000), rows[1:])
    assert best_first(matrix, rows[0], 10)[0].tolist()[0] == 0
    assert sorted(best_first(matrix, rows[0], 10)[0].tolist()) == [0, 10_000]
    assert not matrix.has(500)


def test_a_mask_from_before_the_last_growth_hides_the_newer_slots() -> None:
    matrix = Matrix(DIM)
    matrix.set(np.arange(10), unit(10, 5))
    found = matrix.nearest(unit(1, 6)[0], 20, np.ones(4, dtype=np.bool_))[0]
    assert found.tolist() == [0, 1, 2, 3]


def test_vectors_of_another_dimension_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 1 vectors of 16 numbers"):
        Matrix(DIM).set(slots(0), unit(1, 7, 4))


def test_cosines_of_unknown_slots_are_zero() -> None:
    matrix = Matrix(DIM)
    matrix.set(slots(0), unit(1, 8))
    assert matrix.cosines(unit(1, 8)[0], slots(-1, 7, 0)).tolist() == pytest.approx([0, 0, 1], abs=1e-6)
