"""The metrics of the ranking benchmarks."""

import math

import pytest

from tests.benchmarks.ranking.intervals import figure
from tests.benchmarks.ranking.metrics import distinct_files, first_rank, ndcg, reciprocal, within
from tests.benchmarks.ranking.table import against, compared, shown
from tests.benchmarks.ranking.tasks import Place, Task
from tests.benchmarks.ranking.yardsticks import CHANGES, ISSUES, Row

_HITS = [Place("a.py", 1, 5), Place("b.py", 10, 20), Place("a.py", 30, 40), Place("c.py", 1, 2)]


def test_a_file_counts_at_its_first_hit() -> None:
    assert ndcg(_HITS, [Place("a.py")]) == 1
    assert ndcg(_HITS, [Place("b.py")]) == pytest.approx(1 / math.log2(3))
    assert ndcg(_HITS, [Place("missing.py")]) == 0


def test_two_targets_are_part_of_one_ideal_ranking() -> None:
    ideal = 1 + 1 / math.log2(3)
    assert ndcg(_HITS, [Place("a.py"), Place("c.py")]) == pytest.approx((1 + 1 / math.log2(5)) / ideal)


def test_only_the_first_ten_count() -> None:
    hits = [Place(f"{number}.py") for number in range(11)]
    assert ndcg(hits, [Place("9.py")]) > 0
    assert ndcg(hits, [Place("10.py")]) == 0


@pytest.mark.parametrize(
    ("target", "rank"),
    [
        (Place("a.py", 5, 9), 1),
        (Place("a.py", 6, 29), None),
        (Place("a.py", 40, 40), 3),
        (Place("d.py"), None),
    ],
)
def test_a_place_is_found_if_it_shares_a_line_with_the_target(target: Place, rank: int | None) -> None:
    assert first_rank(_HITS, [target]) == rank


def test_ranks_are_turned_into_metrics() -> None:
    assert [within(rank, 3) for rank in (1, 3, 4, None)] == [1, 1, 0, 0]
    assert [reciprocal(rank) for rank in (1, 4, None)] == [1, 0.25, 0]


def test_the_files_are_ranked_by_their_first_hit() -> None:
    assert distinct_files(_HITS) == [_HITS[0], _HITS[1], _HITS[3]]


def test_every_project_has_the_same_weight_unless_pooled() -> None:
    values = {"large": [1.0, 1.0, 1.0], "small": [0.0]}
    assert figure(values, pooled=False).mean == 0.5
    assert figure(values, pooled=True).mean == 0.75


def test_an_interval_contains_the_mean_and_is_deterministic() -> None:
    values = {str(number): [number / 10] for number in range(10)}
    found = figure(values, pooled=False)
    assert found.low < found.mean < found.high
    assert found == figure(values, pooled=False)


def _found(query: str, limit: int, one_per_file: bool) -> list[Place]:
    return (distinct_files(_HITS) if one_per_file else _HITS)[:limit]


def test_a_change_is_scored_by_files_and_places() -> None:
    task = Task("fix it", ("b.py",), (Place("a.py", 33, 33),))
    (row,) = CHANGES.rows("tool", _found, "project", task)
    assert row.figures["file @1"] == 0
    assert row.figures["file @10"] == 1
    assert row.figures["place MRR"] == pytest.approx(1 / 3)


def test_a_change_without_places_has_no_metrics_of_places() -> None:
    (row,) = CHANGES.rows("tool", _found, "project", Task("fix it", ("b.py",)))
    assert not any(name.startswith("place") for name in row.figures)


def test_a_tool_that_returns_only_files_is_not_scored_by_places() -> None:
    task = Task("fix it", ("b.py",), (Place("a.py", 33, 33),))
    (row,) = CHANGES.rows("ripgrep", _found, "project", task)
    assert all(name.startswith("file ") for name in row.figures)


def test_an_issue_ignores_tests_and_files_that_are_not_source() -> None:
    hits = [Place("tests/test_a.py", 1, 9), Place("README.md", 1, 9), Place("a.py", 1, 9)]
    task = Task("title", ("a.py",), (Place("a.py", 2, 3),), text="title\nand more")
    rows = list(ISSUES.rows("tool", lambda query, limit, one_per_file: hits, "project", task))
    assert [row.yardstick for row in rows] == ["issues, title", "issues, text"]
    assert all(row.figures["file @1"] == row.figures["place @1"] == 1 for row in rows)


def _rows(tool: str, *values: float) -> list[Row]:
    return [Row("changes", tool, str(n), "query", {"file @1": value}) for n, value in enumerate(values)]


def test_the_table_has_a_row_for_each_tool() -> None:
    lines = shown([*_rows("one", 1, 0), *_rows("other", 1, 1)]).splitlines()
    assert lines[2].startswith("| changes | one | - | 0.500 ±")
    assert lines[3].startswith("| changes | other | - | 1.000 ±0.000 |")


def test_differences_compare_the_same_tasks() -> None:
    assert "| changes | one | - | +0.500 [" in compared(_rows("one", 1, 1), _rows("one", 1, 0, 0))
    assert "| changes | - | **-1.000 [" not in against([*_rows("one", 0), *_rows("other", 1)], "one", "other")
