"""Two work trees of one repository, for every test that needs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.location import CACHE_VARIABLE
from tests.worktrees import indexed_repository, second_work_tree


@pytest.fixture
def first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An indexed repository."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return indexed_repository((tmp_path / "first").resolve())


@pytest.fixture
def second(first: Path) -> Path:
    """Another work tree of that repository."""
    return second_work_tree(first)
