"""Gives every test its own home and project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.files import write_files
from tests.security.harness import SOURCE, Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home folder for settings and indexes."""
    return Home(tmp_path / "home")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project."""
    return write_files(tmp_path / "project", SOURCE).resolve()
