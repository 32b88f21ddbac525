"""The weight of each example in training."""

from __future__ import annotations

from tests.unit.training.ranking.made import example
from training.ranking.sets import Share, weighted


def test_a_change_also_counts_within_its_files_as_other_kinds() -> None:
    found = {"changes": {"one": [example(1, "change")]}}
    counted = weighted(found, {"changes": Share(1.0, 0.2, 0.5)})
    assert [(each.kind, weight) for each, weight in counted] == [
        ("change", 1.0),
        ("topic", 0.5),
        ("heading", 0.5),
        ("question", 0.5),
    ]
    for each, _ in counted[1:]:
        assert {place.path for place in each.shown} == {"0.py"}
        assert each.places.right.any()
        assert not each.files.right.any()
        assert not each.roles.any()


def test_a_question_counts_once() -> None:
    found = {"changes": {"one": [example(1, "question")]}}
    assert [weight for _, weight in weighted(found, {"changes": Share(1.0, 0.2, 0.5)})] == [0.2]


def test_held_out_projects_do_not_count() -> None:
    found = {"changes": {"one": [example(1)], "other": [example(2)]}}
    assert len(weighted(found, {"changes": Share(1.0, 0.2)}, without={"other"})) == 1
