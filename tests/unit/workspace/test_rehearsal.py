"""An index is searched when it is opened, so that the user's first searches are no slower."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from sightline import folder
from sightline.search import engine, rehearsal
from sightline.search.engine import Searcher
from sightline.types import ReadSource, SearchRequest, Source
from sightline.workspace import Workspace


@pytest.fixture
def rehearsed(monkeypatch: pytest.MonkeyPatch) -> list[Searcher]:
    """The searchers that were rehearsed."""
    found: list[Searcher] = []
    rehearse = rehearsal.rehearse

    def noted(searcher: Searcher, read_source: ReadSource) -> None:
        found.append(searcher)
        rehearse(searcher, read_source)

    monkeypatch.setattr(rehearsal, "rehearse", noted)
    return found


def _open(root: Path, *, long_lived: bool = False) -> None:
    with closing(Workspace(long_lived=long_lived)) as workspace:
        workspace.add_folder(root)
        assert workspace.wait_idle(60)
        workspace.reconcile()
        assert workspace.wait_idle(60)
        assert workspace.search(SearchRequest("read_socket")).hits[0].path == "sockets.py"


def _searcher(workspace: Workspace, root: Path) -> Searcher:
    opened = workspace.add_folder(root)
    assert workspace.wait_idle(60)
    made = opened.searchers()
    assert made is not None
    return made.searcher


def test_an_index_that_is_large_when_it_is_opened_is_rehearsed_once(
    root: Path, rehearsed: list[Searcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    _open(root)
    assert not rehearsed
    monkeypatch.setattr(folder, "_REHEARSED_CHUNKS", 1)
    _open(root)
    assert len(rehearsed) == 1


def test_a_process_that_lives_on_rehearses_a_small_index_too(root: Path, rehearsed: list[Searcher]) -> None:
    _open(root)
    _open(root, long_lived=True)
    assert len(rehearsed) == 1


def test_a_rehearsal_ends_when_somebody_searches(workspace: Workspace, root: Path) -> None:
    searcher = _searcher(workspace, root)
    read: list[str] = []

    def searched_meanwhile(path: str) -> Source | None:
        searcher.used = True
        read.append(path)
        return None

    rehearsal.rehearse(searcher, searched_meanwhile)
    assert len(set(read)) == len(read) <= 2


def test_a_rehearsal_after_a_search_does_nothing(workspace: Workspace, root: Path) -> None:
    searcher = _searcher(workspace, root)
    workspace.search(SearchRequest("read_socket"))
    read: list[str] = []
    rehearsal.rehearse(searcher, lambda path: read.append(path))
    assert not read


def test_a_rehearsal_reads_the_signatures_of_a_small_index(workspace: Workspace, root: Path) -> None:
    searcher, memory = _searcher(workspace, root), workspace.folders[0].memory
    assert memory is not None
    rehearsal.rehearse(searcher, lambda path: None)
    assert len(memory.signatures(())) == memory.symbols.live == 2


def test_a_rehearsal_reads_the_texts_of_a_small_index(workspace: Workspace, root: Path) -> None:
    searcher, memory = _searcher(workspace, root), workspace.folders[0].memory
    assert memory is not None
    read: list[str] = []
    rehearsal.rehearse(searcher, lambda path: read.append(path))
    assert set(read) == set(memory.files.paths())


def test_a_rehearsal_reads_no_texts_of_a_large_index(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_MOST_READ_AHEAD", 0)
    monkeypatch.setattr(rehearsal, "_QUERIES", ())
    read: list[str] = []
    rehearsal.rehearse(_searcher(workspace, root), lambda path: read.append(path))
    assert not read


def test_no_signature_is_read_after_a_search(workspace: Workspace, root: Path) -> None:
    searcher, memory = _searcher(workspace, root), workspace.folders[0].memory
    assert memory is not None
    searcher.used = True
    rehearsal.rehearse(searcher, lambda path: None)
    assert not memory.signatures(())
