"""A model that cannot be loaded: keyword search still works, and the problem is reported once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sightline.embedding import load_model as loading
from tests.faults.harness import assert_consistent, session

_MESSAGE = "Search uses keywords only"


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The packaged model with one bit changed."""
    folder = Path(shutil.copytree(loading.PACKAGED_FOLDER, tmp_path / "packaged"))
    weights = max(folder.iterdir(), key=lambda path: path.stat().st_size)
    with weights.open("r+b") as file:
        file.seek(weights.stat().st_size // 2)
        (byte,) = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte ^ 1]))
    monkeypatch.setattr(loading, "PACKAGED_FOLDER", folder)
    return folder


def test_keyword_search_works_with_a_damaged_model(
    project: Path, damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session(project) as running:
        for number in range(3):
            running.save("src/new.py", f"def saved_{number}(user):\n    return user\n")
            running.settle()
        running.folder.reconcile()
        running.settle()
        assert running.folder.state == "degraded"
        assert running.find("saved_2")[:1] == ["src/new.py"]
        assert running.count_messages(_MESSAGE) == 1, running.messages
        assert "damaged" in running.folder.reason
    monkeypatch.undo()


def test_vectors_are_computed_once_the_model_is_intact_again(
    project: Path, damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    intact = Path(loading.__file__).parent / "packaged"
    with session(project):
        pass
    monkeypatch.setattr(loading, "PACKAGED_FOLDER", intact)
    with session(project) as running:
        assert running.messages == []
        assert_consistent(running)


def test_a_missing_model_folder_is_reported_once(project: Path) -> None:
    editor = {"embedding": {"model": str(project / "nowhere")}}
    with session(project, editor) as running:
        assert running.find("user")
        assert running.count_messages(_MESSAGE) == 1, running.messages
