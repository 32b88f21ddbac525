"""Scaling of arbitrary scores."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline.search.ranking import fuse
from sightline.search.stages.fusion import scale_by_deviation, scale_by_rank

SCALES: list[fuse.Scale] = [fuse.min_max, fuse.window, scale_by_deviation, partial(scale_by_rank, k=60)]
SCORES = st.lists(st.floats(-100, 100, width=32), max_size=50).map(
    lambda values: np.array(values, np.float32)
)


@pytest.mark.parametrize("scale", SCALES)
@given(scores=SCORES)
def test_scaled_scores_are_between_0_and_1_and_keep_their_order(
    scale: fuse.Scale, scores: NDArray[np.float32]
) -> None:
    scaled = fuse.scale_matched(scale, scores, np.ones(len(scores), np.bool_))
    assert ((scaled >= 0) & (scaled <= 1)).all()
    order = np.argsort(scores, kind="stable")
    assert (np.diff(scaled[order]) >= -1e-6).all()


@pytest.mark.parametrize("scale", SCALES)
def test_candidates_without_a_match_get_zero(scale: fuse.Scale) -> None:
    scores = np.array([5, 3, 1], np.float32)
    scaled = fuse.scale_matched(scale, scores, np.array([True, False, True]))
    assert scaled[1] == 0


def test_the_first_by_rank_gets_1_and_ties_share_a_rank() -> None:
    scaled = scale_by_rank(np.array([2, 9, 9], np.float32), k=60)
    assert scaled.tolist() == pytest.approx([61 / 63, 1.0, 1.0])
