"""Scaling of arbitrary scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline.search.ranking import fuse

Scale = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.float32]]
SCALES: list[Scale] = [
    fuse.min_max,
    fuse.window,
    fuse.z_score,
    lambda scores, matched: fuse.reciprocal_rank(scores, matched, 60),
]
SCORES = st.lists(st.floats(-100, 100, width=32), max_size=50).map(
    lambda values: np.array(values, np.float32)
)


@pytest.mark.parametrize("scale", SCALES)
@given(scores=SCORES)
def test_scaled_scores_are_between_0_and_1_and_keep_their_order(
    scale: Scale, scores: NDArray[np.float32]
) -> None:
    scaled = scale(scores, np.ones(len(scores), np.bool_))
    assert ((scaled >= 0) & (scaled <= 1)).all()
    order = np.argsort(scores, kind="stable")
    assert (np.diff(scaled[order]) >= -1e-6).all()


@pytest.mark.parametrize("scale", SCALES)
def test_candidates_without_a_match_get_zero(scale: Scale) -> None:
    scaled = scale(np.array([5, 3, 1], np.float32), np.array([True, False, True]))
    assert scaled[1] == 0


def test_the_first_by_rank_gets_1_and_ties_share_a_rank() -> None:
    scaled = fuse.reciprocal_rank(np.array([2, 9, 9], np.float32), np.ones(3, np.bool_), 60)
    assert scaled.tolist() == pytest.approx([61 / 63, 1.0, 1.0])
