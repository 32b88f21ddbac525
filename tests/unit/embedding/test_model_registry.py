"""A model is loaded once, shared while it is used, then released, and retried after a failure."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from sightline.embedding import Embedder, ModelUnavailable, load_embedder, model_registry
from sightline.embedding.model_registry import ModelRegistry


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The models that were loaded, in order."""
    names: list[str] = []

    def load(model: str, cache: Path, allow_download: bool) -> Embedder:
        names.append(model)
        return load_embedder(model, cache, allow_download)

    monkeypatch.setattr(model_registry, "load_embedder", load)
    return names


@pytest.fixture(params=["packaged", "folder", "fastembed"])
def model(request: pytest.FixtureRequest, small_model: Path) -> str:
    if request.param == "fastembed":
        # Without its manifest a folder is read by fastembed.
        (small_model / "manifest.json").unlink()
    return "packaged" if request.param == "packaged" else str(small_model)


def test_two_folders_share_one_model(tmp_path: Path, model: str, loads: list[str]) -> None:
    registry = ModelRegistry(tmp_path)
    waiting: list[Callable[[], Embedder]] = [registry.load(model, False) for _ in range(2)]
    first = waiting[0]()
    assert waiting[1]() is first
    assert registry.load(model, False)() is first
    assert loads == [model]


def test_an_unused_model_is_released(tmp_path: Path, model: str, loads: list[str]) -> None:
    registry = ModelRegistry(tmp_path)
    used = weakref.ref(registry.load(model, False)())
    gc.collect()
    assert used() is None
    registry.load(model, False)()
    assert loads == [model, model]


def test_loading_a_model_is_retried_after_a_failure(tmp_path: Path, small_model: Path) -> None:
    registry, away = ModelRegistry(tmp_path), small_model.with_name("away")
    small_model.rename(away)
    with pytest.raises(ModelUnavailable):
        registry.load(str(small_model), False)()
    away.rename(small_model)
    assert registry.load(str(small_model), False)().dim
