"""A path in two spellings is one file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sightline.indexing.discovery import ignore
from sightline.indexing.discovery import path_case as spelling
from sightline.indexing.discovery.discover import FoundFile, Ignore, scan
from sightline.indexing.discovery.path_case import ignores_case, stored_case
from sightline.settings.tree import IndexingSettings


def _file(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")


def test_case_sensitivity_is_probed_on_the_file_system(tmp_path: Path) -> None:
    (tmp_path / "Probe").mkdir()
    assert ignores_case(tmp_path / "Probe") == os.path.exists(tmp_path / "pROBE")


def test_a_path_stays_as_it_is_where_case_matters(tmp_path: Path) -> None:
    if ignores_case(tmp_path):
        pytest.skip("this file system is case-insensitive")
    _file(tmp_path / "Src" / "Main.py")
    assert stored_case(tmp_path, "src/main.py") == "src/main.py"


def test_a_path_is_spelt_as_its_folder_lists_it_where_case_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spelling, "ignores_case", lambda root: True)
    _file(tmp_path / "Src" / "Main.py")
    assert stored_case(tmp_path, "src/MAIN.py") == "Src/Main.py"
    assert stored_case(tmp_path, "Src/Main.py") == "Src/Main.py"
    assert stored_case(tmp_path, "SRC/new.py") == "Src/new.py"
    assert stored_case(tmp_path, "gone/new.py") == "gone/new.py"


def test_patterns_match_in_any_case_where_case_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ignore, "ignores_case", lambda root: True)
    for path in ("Build/a.py", "src/B.LOG", "src/keep.Py", "Docs/Old/c.md"):
        _file(tmp_path / path)
    (tmp_path / ".gitignore").write_text("build/\n*.log\n/docs/[N-P]ld/\n")
    found = [item.path for item in scan(tmp_path, IndexingSettings()) if isinstance(item, FoundFile)]
    assert found == [".gitignore", "src/keep.Py"]
    assert Ignore(tmp_path, IndexingSettings()).reason("BUILD/a.py") == "ignored"
