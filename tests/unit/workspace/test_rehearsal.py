"""A large index is searched once when it is opened, so that the user's first search is no slower."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from sightline import folder
from sightline.search import rehearsal
from sightline.search.engine import Searcher
from sightline.types import SearchRequest
from sightline.workspace import Workspace


@pytest.fixture
def rehearsed(monkeypatch: pytest.MonkeyPatch) -> list[Searcher]:
    """The searchers that were rehearsed."""
    found: list[Searcher] = []
    rehearse = rehearsal.rehearse

    def noted(searcher: Searcher) -> None:
        found.append(searcher)
        rehearse(searcher)

    monkeypatch.setattr(rehearsal, "rehearse", noted)
    return found


def _open(root: Path) -> None:
    with closing(Workspace()) as workspace:
        workspace.add_folder(root)
        assert workspace.wait_idle(60)
        workspace.reconcile()
        assert workspace.wait_idle(60)
        assert workspace.search(SearchRequest("read_socket")).hits[0].path == "sockets.py"


def test_an_index_that_is_large_when_it_is_opened_is_rehearsed_once(
    root: Path, rehearsed: list[Searcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    _open(root)
    assert not rehearsed
    monkeypatch.setattr(folder, "_REHEARSED_CHUNKS", 1)
    _open(root)
    assert len(rehearsed) == 1
