"""Texts of files for one request, and those that are kept for the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline import sources
from sightline.sources import RecentTexts, Sources


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files count as old as soon as they are written: nothing can set the time of a change."""
    monkeypatch.setattr(sources, "_settled_ns", lambda times: -1)


@pytest.mark.usefixtures("settled")
def test_an_unchanged_file_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\n")
    recent = RecentTexts()
    first = recent.read(tmp_path, "a.py", 100)
    assert first is not None
    assert first.lines == ["one", "two", ""]
    assert recent.read(tmp_path, "a.py", 100) is first


@pytest.mark.usefixtures("settled")
def test_a_changed_replaced_or_deleted_file_is_read_again(tmp_path: Path) -> None:
    file, recent = tmp_path / "a.py", RecentTexts()
    texts = []
    for text in ("one", "three", "seven!"):
        (tmp_path / "new").write_text(text)
        (tmp_path / "new").replace(file)
        texts.append(recent.read(tmp_path, "a.py", 100))
    assert [source.text for source in texts if source] == ["one", "three", "seven!"]
    file.unlink()
    assert recent.read(tmp_path, "a.py", 100) is None


@pytest.mark.usefixtures("settled")
def test_a_lower_limit_applies_to_kept_texts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one two three")
    recent = RecentTexts()
    assert recent.read(tmp_path, "a.py", 100) is not None
    assert recent.read(tmp_path, "a.py", 5) is None


@pytest.mark.parametrize(
    ("times", "milliseconds"),
    [
        ((7_000_000_000, 7_000_000_000), 3000),
        ((6_000_000_000, 7_120_000_000), 3000),
        ((7_123_456_789, 7_123_456_789), 500),
        ((6_000_000_000, 7_123_456_700), 500),
    ],
)
def test_a_file_settles_sooner_where_times_are_fine(times: tuple[int, int], milliseconds: int) -> None:
    assert sources._settled_ns(times) == milliseconds * 1_000_000


def test_a_file_that_was_just_written_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one")
    recent = RecentTexts()
    assert recent.read(tmp_path, "a.py", 100) is not recent.read(tmp_path, "a.py", 100)


@pytest.mark.usefixtures("settled")
def test_the_oldest_texts_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_MOST_CHARACTERS", 10)
    recent = RecentTexts()
    for name in "abc":
        (tmp_path / name).write_text("1234")
    first, second, third = (recent.read(tmp_path, name, 100) for name in "abc")
    assert recent.read(tmp_path, "c", 100) is third
    assert recent.read(tmp_path, "b", 100) is second
    assert recent.read(tmp_path, "a", 100) is not first


@pytest.mark.usefixtures("settled")
def test_unsaved_text_comes_before_a_kept_one(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("on disk")
    recent = RecentTexts()
    Sources(tmp_path, 100, recent=recent).read("a.py")
    unsaved = Sources(tmp_path, 100, {tmp_path / "a.py": "in the editor"}, recent).read("a.py")
    assert unsaved is not None
    assert unsaved.text == "in the editor"
