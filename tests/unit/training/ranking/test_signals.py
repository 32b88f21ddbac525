"""Signals and labels of the candidates of a small tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sightline.file_roles import ROLES
from sightline.search.ranking.signals import SIGNALS
from tests.benchmarks.ranking.indexed import IndexedTree
from tests.benchmarks.ranking.tasks import Place, Task
from tests.files import write_files
from training.ranking.fit import Parameters
from training.ranking.judge import page
from training.ranking.signals import Example, examples

_STEPS = "\n".join(
    f"    total = total + measure_step({number}, total)  # step {number}" for number in range(80)
)
_TREE = {
    "src/walk.py": f'def long_walk(total):\n    """Walk many steps."""\n{_STEPS}\n    return total\n',
    "src/rest.py": 'def rest_a_while():\n    """Sit down and rest after many steps."""\n    return 0\n',
    "tests/test_walk.py": "def test_long_walk():\n    assert long_walk(0) == 0\n",
}
_TASK = Task("walk many steps", ("src/walk.py",), (Place("src/walk.py", 60, 62),))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[IndexedTree]:
    monkeypatch.setenv("SIGHTLINE_CACHE_DIR", str(tmp_path))
    made = IndexedTree(write_files(tmp_path / "tree", _TREE), tmp_path)
    yield made
    made.close()


@pytest.fixture
def example(tree: IndexedTree) -> Example:
    (made,) = examples(tree, [_TASK])
    return made


def test_every_candidate_has_every_signal_in_its_range(example: Example) -> None:
    assert example.kind == "topic"
    assert example.signals.shape == (len(example.shown), len(SIGNALS))
    gaps = np.array([name.endswith("_gap") for name in SIGNALS])
    assert example.signals[:, ~gaps].min() >= 0
    assert example.signals[:, ~gaps].max() <= 1
    assert example.signals[:, gaps].min() >= -1
    assert example.signals[:, gaps].max() == 0
    assert example.signals[:, SIGNALS.index("bm25")].any()
    assert example.signals[:, SIGNALS.index("cosine")].any()


def test_the_chunks_of_a_function_are_one_place(example: Example) -> None:
    walking = np.array([place.path == "src/walk.py" for place in example.shown])
    assert walking.sum() > 1
    assert len(set(example.places.of[walking].tolist())) == 1
    assert len({example.shown[at] for at in np.flatnonzero(walking)}) == 1


def test_the_relevant_file_and_place_are_labelled(example: Example) -> None:
    for groups in (example.files, example.places):
        right = np.flatnonzero(groups.right[groups.of])
        assert {example.shown[at].path for at in right} == {"src/walk.py"}


def test_a_test_has_its_role_unless_the_query_asks_for_tests(tree: IndexedTree) -> None:
    for query, held in (("walk many steps", 1), ("test of the long walk", 0)):
        (made,) = examples(tree, [Task(query, ("src/walk.py",))])
        at = [place.path for place in made.shown].index("tests/test_walk.py")
        assert made.roles[at, ROLES.index("test")] == held


def test_reducing_candidates_keeps_the_relevant_ones(example: Example) -> None:
    small = example.reduced(1)
    assert len(small.shown) < len(example.shown)
    assert small.places.right[small.places.of].any()
    assert small.files.right[small.files.of].any()


def test_a_page_shows_a_function_once(example: Example) -> None:
    shown = page(example, Parameters().scores(example), 10, False)
    assert len(shown) == len(set(shown)) == 3
