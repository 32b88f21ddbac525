"""Which places are shown."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.search.results import select
from sightline.search.stages.diversity import mmr

FILES = st.lists(st.integers(0, 5), max_size=40)


def test_each_file_comes_once_before_any_comes_twice() -> None:
    assert list(select.files_first([7, 7, 8, 7, 9, 8], 0)) == [0, 2, 4, 1, 3, 5]


@given(FILES, st.integers(1, 4))
def test_the_cap_applies_while_other_files_remain_and_loses_nothing(files: list[int], cap: int) -> None:
    kept = list(select.capped(files, cap))
    assert sorted(kept) == list(range(len(files)))
    within = [position for at, position in enumerate(kept) if _seen(files, kept[:at], position) < cap]
    assert within == sorted(within)
    assert kept[: len(within)] == within


def _seen(files: list[int], before: list[int], position: int) -> int:
    return sum(files[other] == files[position] for other in before)


@given(FILES)
def test_no_cap_keeps_the_order(files: list[int]) -> None:
    assert list(select.capped(files, 0)) == list(range(len(files)))


@given(FILES, st.integers(0, 4))
def test_files_first_loses_nothing(files: list[int], cap: int) -> None:
    assert sorted(select.files_first(files, cap)) == list(range(len(files)))


def test_mmr_prefers_a_different_hit_to_a_slightly_better_copy() -> None:
    vectors = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
    assert mmr([1.0, 0.95, 0.8], vectors, 3, 0.7) == [0, 2, 1]
    assert mmr([1.0, 0.95, 0.8], vectors, 3, 1.0) == [0, 1, 2]
