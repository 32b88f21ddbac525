"""Signals of a whole file, and signals that distinguish its places."""

from __future__ import annotations

import numpy as np

from sightline.search.ranking.file_signals import Grouped, behind_best, best_scores


def test_a_place_is_compared_with_the_best_place_of_its_file() -> None:
    grouped = Grouped(np.array([4, 9]), np.array([0, 1, 0, 1]))
    scores = np.array([0.25, 0.5, 1.0, 0.5], np.float32)
    assert behind_best(grouped, scores, best_scores(grouped, scores)).tolist() == [-0.75, 0.0, 0.0, 0.0]
