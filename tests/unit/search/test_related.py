"""Related code of a place, with its reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.search.related import Related
from sightline.stores.image import Image
from tests.unit.search.small_index import PROJECT, build_image, make_related


def place(path: str, text: str) -> tuple[int, int]:
    """The line and column of a text in a file of the project."""
    lines = PROJECT[path].splitlines()
    line = next(at for at, content in enumerate(lines) if text in content)
    return line, lines[line].index(text)


def reasons(related: Related, path: str, text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for hit in related.find(path, *place(path, text), limit=20):
        found.setdefault(hit.reason, set()).add(hit.path)
    return found


def test_what_a_function_calls_is_related(related: Related) -> None:
    assert "src/auth/token.py" in reasons(related, "src/auth/session.py", "def login")["calls"]


def test_what_calls_a_function_is_related(related: Related) -> None:
    assert "src/auth/session.py" in reasons(related, "src/auth/token.py", "def issue_token")["called by"]


def test_the_tests_of_a_file_are_related_and_the_other_way_round(related: Related) -> None:
    tests = reasons(related, "src/auth/token.py", "class TokenStore")
    assert any("tests/test_token.py" in paths for paths in tests.values())
    tested = reasons(related, "tests/test_token.py", "def test_revoke")
    assert any("src/auth/token.py" in paths for paths in tested.values())


def test_the_place_itself_is_not_related_to_itself(related: Related) -> None:
    line, column = place("src/storage/disk.py", "def read_all")
    for hit in related.find("src/storage/disk.py", line, column, limit=20):
        assert not (hit.path == "src/storage/disk.py" and hit.start_line <= line <= hit.end_line)


def test_hits_are_ordered_bounded_and_have_one_of_the_known_reasons(related: Related) -> None:
    hits = related.find("src/auth/token.py", *place("src/auth/token.py", "def revoke"), limit=3)
    assert len(hits) <= 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.reason for hit in hits} <= {"similar", "calls", "called by", "same name", "test of"}


@pytest.mark.parametrize(("line", "column"), [(0, 0), (9_999, 3), (2, 9_999)])
def test_any_position_is_answered(related: Related, line: int, column: int) -> None:
    related.find("src/auth/token.py", line, column)


def test_a_file_that_is_not_indexed_has_nothing_related(related: Related) -> None:
    assert related.find("nowhere.py", 0, 0) == []


def test_two_definitions_of_one_name_are_related(tmp_path: Path) -> None:
    project = {
        "a.py": "def open_socket(port):\n    return bind_listener(port, backlog=64)\n",
        "b.py": "def open_socket(path):\n    return unix_listener(path, mode=0o600)\n",
    }
    image: Image = build_image(tmp_path / "two", project)
    hits = make_related(image, tmp_path / "two").find("a.py", 0, 5)
    assert [(hit.path, hit.reason) for hit in hits] == [("b.py", "same name")]
