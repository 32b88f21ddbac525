"""Fixtures that several folders of unit tests share."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.unit.embedding.small_model import make_small_model

# On a busy machine, the time that an example takes means nothing.
settings.register_profile("sightline", deadline=None)
settings.load_profile("sightline")


@pytest.fixture
def small_model(tmp_path: Path) -> Path:
    """A model of eight words."""
    return make_small_model(tmp_path / "small-model")
