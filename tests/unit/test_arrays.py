"""The set operations on arrays give what numpy's own give."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.arrays import among, distinct, falling, firsts, repeated

_NUMBERS = st.lists(st.integers(-3, 3) | st.integers(-(1 << 63), (1 << 63) - 1))


@given(_NUMBERS)
def test_distinct_numbers_are_those_of_unique(numbers: list[int]) -> None:
    values = np.array(numbers, np.int64)
    assert distinct(values).tolist() == np.unique(values).tolist()


@given(_NUMBERS, _NUMBERS)
def test_numbers_are_among_those_that_isin_finds(numbers: list[int], others: list[int]) -> None:
    values, ordered = np.array(numbers, np.int64), np.sort(np.array(others, np.int64))
    assert among(values, ordered).tolist() == np.isin(values, ordered).tolist()


@given(_NUMBERS)
def test_firsts_are_where_each_value_occurs_first(values: list[int]) -> None:
    found = firsts(np.array(values, np.int64)).tolist()
    assert found == sorted(found)
    assert [values[at] for at in found] == list(dict.fromkeys(values))


@given(_NUMBERS)
def test_repeated_are_the_values_that_occur_more_than_once(values: list[int]) -> None:
    found = repeated(np.array(values, np.int64)).tolist()
    assert sorted(found) == [at for at, value in enumerate(values) if values.count(value) > 1]
    assert [values[at] for at in found] == sorted(values[at] for at in found)


@given(st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.25]) | st.floats(-1e6, 1e6, width=32)))
def test_falling_numbers_are_in_the_opposite_order_of_the_scores(values: list[float]) -> None:
    scores = np.array(values, np.float32)
    assert np.argsort(falling(scores), kind="stable").tolist() == np.argsort(-scores, kind="stable").tolist()
