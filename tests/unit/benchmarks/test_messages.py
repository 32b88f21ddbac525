"""The messages of a tree become tasks with values instead of placeholders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.ranking import __main__ as command
from tests.benchmarks.ranking.messages import tasks_of
from tests.benchmarks.ranking.tasks import Place
from tests.benchmarks.ranking.yardsticks import YARDSTICKS

SOURCE = '''
def load(path):
    """Load the settings that are stored in this file."""
    if not path:
        raise ValueError("the path of the settings is empty")
    log.warning("cannot read " "the settings of %s from {path}", path)
    return "too short"
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "settings.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "settings.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def test_a_message_is_asked_with_values_and_answered_by_its_function(tree: Path) -> None:
    tasks = tasks_of(tree)
    assert len(tasks) == 2
    assert {task.places for task in tasks} == {(Place("settings.py", 2, 7),)}
    joined = next(task.query for task in tasks if "cannot read" in task.query)
    assert "cannot read the settings of " in joined
    assert "%s" not in joined
    assert "{path}" not in joined


def test_the_same_messages_are_asked_every_time(tree: Path) -> None:
    assert tasks_of(tree) == tasks_of(tree)


def test_the_command_extracts_tasks_for_known_yardsticks() -> None:
    assert set(command._EXTRACTED) <= set(YARDSTICKS)
