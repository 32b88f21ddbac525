"""The set operations on arrays give what numpy's own give."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.arrays import among, distinct

_NUMBERS = st.lists(st.integers(-3, 3) | st.integers(-(1 << 63), (1 << 63) - 1))


@given(_NUMBERS)
def test_distinct_numbers_are_those_of_unique(numbers: list[int]) -> None:
    values = np.array(numbers, np.int64)
    assert distinct(values).tolist() == np.unique(values).tolist()


@given(_NUMBERS, _NUMBERS)
def test_numbers_are_among_those_that_isin_finds(numbers: list[int], others: list[int]) -> None:
    values, ordered = np.array(numbers, np.int64), np.sort(np.array(others, np.int64))
    assert among(values, ordered).tolist() == np.isin(values, ordered).tolist()
