"""Merging the hits of several folders into one list."""

from __future__ import annotations

from sightline.search.results.merge import merged
from sightline.types import Hit
from tests.unit.sample_hits import sample_hit


def hit(folder: str, path: str, score: float) -> Hit:
    return sample_hit(folder=folder, path=path, score=score)


def test_hits_are_merged_by_score_and_keep_their_folders() -> None:
    one = [hit("one", "a", 0.9), hit("one", "b", 0.3)]
    two = [hit("two", "c", 0.6), hit("two", "d", 0.3)]
    assert [(each.folder, each.path) for each in merged([one, two], 0, 10)] == [
        ("one", "a"),
        ("two", "c"),
        ("one", "b"),
        ("two", "d"),
    ]


def test_a_page_of_the_merged_list_is_returned() -> None:
    hits = [[hit("one", str(number), 1 - number / 100) for number in range(20)]]
    assert [each.path for each in merged(hits, 5, 3)] == ["5", "6", "7"]


def test_no_folders_give_no_hits() -> None:
    assert merged([], 0, 10) == ()
