"""The tasks are data: their format, and that the evaluation projects stay separate."""

import json
import re
from pathlib import Path

import pytest

from tests.benchmarks.ranking.tasks import FOLDER, Project, load
from training.exclusions import is_excluded_name

_NAMES = ("topics", "changes", "issues", "development", "searches", "questions")
_TRAINING = Path(__file__).resolve().parents[3] / "server" / "training"


def _every() -> list[Project]:
    return [project for name in _NAMES for project in load(name)]


@pytest.mark.parametrize("name", _NAMES)
def test_every_task_has_a_query_and_an_answer(name: str) -> None:
    for project in load(name):
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", project.source)
        assert re.fullmatch(r"[0-9a-f]{40}", project.revision)
        for task in project.tasks:
            assert task.query.strip()
            assert task.targets()
            assert all(not path.startswith("/") for path in task.files)
            assert all(0 < (place.start or 0) <= (place.end or 0) for place in task.places)


def test_the_number_of_tasks_is_the_one_in_the_documentation() -> None:
    assert [len(load(name)) for name in _NAMES] == [22, 18, 4, 21, 24, 19]
    assert [sum(len(project.tasks) for project in load(name)) for name in _NAMES] == [
        402,
        936,
        139,
        378,
        240,
        210,
    ]


def test_no_two_projects_are_checked_out_in_the_same_folder() -> None:
    trees = {(project.name, project.source, project.revision) for project in _every()}
    assert len(trees) == len({(name, revision[:8]) for name, _, revision in trees})


def test_an_issue_has_its_text_and_its_commit() -> None:
    for project in load("issues"):
        for task in project.tasks:
            assert task.text.startswith(task.query)
            assert re.fullmatch(r"[0-9a-f]{40}", task.commit)


def test_the_projects_of_the_questions_are_used_nowhere_else() -> None:
    sources = json.loads((_TRAINING / "sources.json").read_text())["git"]
    known = {*sources["training"], *sources["development"]}
    known |= {project.source for name in _NAMES[:5] for project in load(name)}
    for project in load("questions"):
        assert project.source not in known
        assert not is_excluded_name(project.name)
        assert len(project.tasks) in (10, 15)
        assert len({task.category for task in project.tasks}) in (5, 6)


def test_the_data_stays_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 2_000_000
