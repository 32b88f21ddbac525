"""Fixtures that several folders of unit tests share."""

from pathlib import Path

import pytest

from tests.unit.embedding.small_model import make_small_model


@pytest.fixture
def small_model(tmp_path: Path) -> Path:
    """A model of eight words."""
    return make_small_model(tmp_path / "small-model")
