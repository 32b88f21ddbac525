"""Where vectors are searched: in memory, until there are too many and Chroma has them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sightline.folder import Folder
from sightline.indexing import vector_backend
from sightline.location import CACHE_VARIABLE
from sightline.types import SearchRequest
from sightline.workspace import Workspace
from tests.unit.workspace.index_state import TIMEOUT, memory_of, opened

_THROUGH_CHROMA = {"search": {"exact_limit": 5}}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A few more chunks than the limit for memory."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    root = (tmp_path / "project").resolve()
    root.mkdir()
    for number in range(12):
        (root / f"file{number}.py").write_text(
            f"def parcel_{number}(ledger):\n    return ledger + {number}\n"
        )
    return root


def _through_chroma(folder: Folder) -> bool:
    space = memory_of(folder).space
    assert space is not None
    return space.approximate is not None


def _eventually(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + TIMEOUT
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def _best(workspace: Workspace) -> str:
    return workspace.search(SearchRequest("parcel_7", mode="semantic")).hits[0].path


def test_memory_answers_until_chroma_has_all_vectors(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_backend, "_MOST_MISSING", 3)
    workspace, folder = opened(project, _THROUGH_CHROMA)
    try:
        assert not _through_chroma(folder)
        before = _best(workspace)
        assert _eventually(lambda: _through_chroma(folder))
        assert _best(workspace) == before
    finally:
        workspace.close(TIMEOUT)


def test_a_limit_lowered_while_the_folder_is_open_takes_effect(project: Path) -> None:
    workspace, folder = opened(project)
    try:
        assert not _through_chroma(folder)
        workspace.configure(_THROUGH_CHROMA)
        assert _eventually(lambda: _through_chroma(folder))
    finally:
        workspace.close(TIMEOUT)


def test_a_follower_keeps_using_memory(project: Path) -> None:
    first, one = opened(project, _THROUGH_CHROMA)
    second = Workspace()
    try:
        two = second.add_folder(project, _THROUGH_CHROMA)
        assert _eventually(lambda: two.state == "ready")
        assert _through_chroma(one)
        assert not _through_chroma(two)
        assert _best(second) == _best(first)
    finally:
        second.close(TIMEOUT)
        first.close(TIMEOUT)
