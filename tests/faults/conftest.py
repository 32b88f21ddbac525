"""Gives every test its own project and cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.location import CACHE_VARIABLE
from tests.faults.harness import write_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project; the test's indexes are stored next to it."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return write_project((tmp_path / "project").resolve())
