"""A long-running server gives the answers and scores of a new one, and uses no more space."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sightline.folder import Folder
from sightline.indexing import maintenance, worker
from sightline.location import CACHE_VARIABLE
from sightline.stores.memory import compaction
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import SearchRequest
from sightline.workspace import Workspace
from tests.unit.workspace.index_state import TIMEOUT, memory_of, opened, state

_WORDS = ["queue", "lock", "parser", "socket", "ledger", "basket", "render", "token", "cipher", "cookie"]
_QUERIES = (
    "queue",
    "lock acquire",
    "parse the token",
    "where is the basket rendered",
    "socket_ledger",
    "how does a cookie get its cipher",
)
# More than the number of places, so that no limit separates equal scores.
_ALL = 2000
_Answers = Mapping[str, tuple[list[float], list[str]]]


def _answers(workspace: Workspace) -> _Answers:
    """All scores and all places of each query; the order of equal scores is not compared."""
    found = {}
    for query in _QUERIES:
        hits = workspace.search(SearchRequest(query, limit=_ALL, context="none")).hits
        scores = sorted(round(hit.score, 5) for hit in hits)
        found[query] = scores, sorted(f"{hit.path}:{hit.start_line}-{hit.end_line}" for hit in hits)
    return found


def _fresh(root: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[_Answers, dict[str, Any], int]:
    """The answers and the content of a newly built index, and its number of terms."""
    with monkeypatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(root.parent / f"fresh-{len(os.listdir(root.parent))}"))
        workspace, folder = opened(root)
        try:
            return _answers(workspace), state(folder), len(memory_of(folder).vocabulary)
        finally:
            workspace.close(TIMEOUT)


def _source(rng: random.Random, serial: int) -> str:
    """A unique text, so that no two places have the same content."""
    lines = [f'"""About {rng.choice(_WORDS)} number {serial}."""', ""]
    for part in range(rng.randint(1, 4)):
        one, two = rng.sample(_WORDS, 2)
        lines += [f"def {one}_{two}_{serial}_{part}({one}):", f'    """{two} for w{serial}x{part}."""']
        lines += [f"    {two}{step} = {one} + {rng.randrange(10**6)}" for step in range(rng.randint(1, 8))]
        lines += [f"    return {two}0", "", ""]
    return "\n".join(lines)


class Edits:
    """Saves, deletions, renames and branch switches, each reported to the server."""

    def __init__(self, root: Path, folder: Folder, seed: int) -> None:
        self._root, self._folder = root, folder
        self._rng = random.Random(seed)
        self._serial = 0

    def make(self, steps: int) -> None:
        """Make `steps` edits."""
        for _ in range(steps):
            self._rng.choice((self._save, self._save, self._save, self._delete, self._rename, self._branch))()
            assert self._folder.wait_idle(TIMEOUT)

    def _path(self) -> Path:
        words = self._rng.sample(_WORDS, 2)
        return self._root / words[0] / f"{words[1]}_{self._rng.randrange(4)}.py"

    def _files(self) -> list[Path]:
        return sorted(self._root.rglob("*.py"))

    def _write(self, path: Path) -> None:
        self._serial += 1
        path.parent.mkdir(exist_ok=True)
        path.write_text(_source(self._rng, self._serial))

    def _save(self) -> None:
        path = self._path()
        self._write(path)
        self._folder.changed([path])

    def _delete(self) -> None:
        for path in self._files()[:1]:
            path.unlink()
            self._folder.changed([path])

    def _rename(self) -> None:
        for old in self._files()[-1:]:
            new = self._path()
            new.parent.mkdir(exist_ok=True)
            os.replace(old, new)
            self._folder.changed([old, new])

    def _branch(self) -> None:
        """Many files named after a word are created and deleted."""
        folder = self._root / "generated"
        folder.mkdir()
        word = self._rng.choice(_WORDS)
        for number in range(20):
            self._write(folder / f"{word}_{number}.py")
        self._folder.changed([folder])
        assert self._folder.wait_idle(TIMEOUT)
        shutil.rmtree(folder)
        self._folder.changed([folder])


def _wait_for_maintenance(folder: Folder) -> None:
    """Wait until the worker has finished its idle maintenance."""
    assert folder.wait_idle(TIMEOUT)
    _until(lambda: folder._worker._quiet_since == memory_of(folder).generation)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(worker, "_IDLE_SECONDS", 0.05)
    root = (tmp_path / "project").resolve()
    root.mkdir()
    return root


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_answers_and_scores_equal_those_of_a_new_index(
    project: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, folder = opened(project)
    try:
        Edits(project, folder, seed).make(40)
        answers, held, _ = _fresh(project, monkeypatch)
        assert held["counts"] == held["counted"]
        assert state(folder) == held
        assert _answers(workspace) == answers
    finally:
        workspace.close(TIMEOUT)


@pytest.mark.parametrize("seed", [4, 5])
def test_a_compacted_index_gives_the_same_answers(
    project: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "_MIN_DEAD_ROWS", 0)
    monkeypatch.setattr(compaction, "_MIN_DEAD_TERMS", 0)
    monkeypatch.setattr(compaction, "_LOG_BYTES", 0)
    monkeypatch.setattr(compaction, "_MIN_FREE_PAGES", 4)
    (project / ".gitignore").write_text("*.log\n")
    (project / "hidden.log").write_text("hidden by a rule\n")
    workspace, folder = opened(project)
    second, follower = opened(project)
    try:
        edits = Edits(project, folder, seed)
        first = memory_of(folder)
        for _ in range(6):
            edits.make(8)
            _wait_for_maintenance(folder)
        assert memory_of(folder) is not first, "the memory index was never rebuilt"
        assert folder.status().skipped["ignored"] == 1
        edits.make(3)
        answers, held, terms = _fresh(project, monkeypatch)
        assert state(folder) == held
        assert _answers(workspace) == answers
        _wait_for_maintenance(folder)
        assert len(memory_of(folder).vocabulary) <= 2 * terms
        _until(lambda: _follows(follower, held))
        _until(lambda: _answers(second) == answers)
        workspace.close(TIMEOUT)
        workspace, folder = opened(project)
        assert state(folder) == held
        _until(lambda: _answers(workspace) == answers)
    finally:
        workspace.close(TIMEOUT)
        second.close(TIMEOUT)


def test_a_search_while_the_memory_index_is_rebuilt_has_vectors(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (project / f"{_WORDS[number]}.py").write_text(_source(random.Random(number), number))
    workspace, folder = opened(project)
    try:
        _wait_for_maintenance(folder)
        asked: list[_Answers] = []
        before = _answers(workspace)
        index = folder._worker.index
        assert index is not None
        for step in ("switch", "attach"):
            monkeypatch.setattr(MemoryIndex, step, _searching_first(step, workspace, asked))
        index.rebuild()
        assert asked
        assert all(answers == before for answers in asked)
        assert _answers(workspace) == before
    finally:
        workspace.close(TIMEOUT)


def test_deleted_files_do_not_influence_the_scores(project: Path) -> None:
    for number, word in enumerate(_WORDS):
        (project / f"{word}_{_WORDS[number - 1]}.py").write_text(_source(random.Random(number), number))
    workspace, folder = opened(project)
    try:
        before = _answers(workspace)
        generated = project / "generated"
        generated.mkdir()
        for number in range(200):
            (generated / f"{_WORDS[number % 3]}_{number}.py").write_text(f"X{number} = {number}\n")
        folder.changed([generated])
        assert folder.wait_idle(TIMEOUT)
        shutil.rmtree(generated)
        folder.changed([generated])
        assert folder.wait_idle(TIMEOUT)
        assert _answers(workspace) == before
    finally:
        workspace.close(TIMEOUT)


def test_the_catalog_releases_space_it_no_longer_needs(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "_MIN_DEAD_TERMS", 100)
    monkeypatch.setattr(compaction, "_MIN_FREE_PAGES", 4)
    workspace, folder = opened(project)
    try:
        for round in range(3):
            for number in range(150):
                text = _source(random.Random(1000 * round + number), 1000 * round + number)
                (project / f"{_WORDS[number % 10]}_{number}.py").write_text(text)
            folder.reconcile()
            assert folder.wait_idle(TIMEOUT)
        for path in sorted(project.iterdir())[20:]:
            path.unlink()
        folder.reconcile()
        assert folder.wait_idle(TIMEOUT)
        _wait_for_maintenance(folder)
        catalog = memory_of(folder).catalog
        _, _, terms = _fresh(project, monkeypatch)
        assert catalog.count("terms") <= 2 * terms + 100
        pages, free = catalog.pages()
        assert free <= max(4, 0.2 * pages)
        assert catalog.count("embeddings") <= 2 * len(memory_of(folder).all_keys())
        log = catalog._path.with_name("catalog.sqlite-wal")
        assert not log.exists() or log.stat().st_size <= compaction._LOG_BYTES
    finally:
        workspace.close(TIMEOUT)


def test_ids_of_removed_terms_are_reused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "_MIN_DEAD_TERMS", 0)
    workspace, folder = opened(project)
    try:
        for number in range(3):
            (project / "only.py").write_text("\n".join(f"name_{number}_{n} = {n}" for n in range(200)))
            folder.changed([project / "only.py"])
            assert folder.wait_idle(TIMEOUT)
            _wait_for_maintenance(folder)
        ids = memory_of(folder).vocabulary.ids()
        assert len(np.unique(ids)) == len(ids)
        assert ids.max() < 2 * len(ids)
        assert workspace.search(SearchRequest("name_2_7", mode="keyword")).hits
    finally:
        workspace.close(TIMEOUT)


def _searching_first(step: str, workspace: Workspace, asked: list[_Answers]) -> Callable[..., None]:
    """A method of the memory index that runs a search before the original code."""
    method: Callable[..., None] = getattr(MemoryIndex, step)

    def wrapped(*arguments: Any, **options: Any) -> None:
        asked.append(_answers(workspace))
        method(*arguments, **options)

    return wrapped


def _follows(follower: Folder, held: object) -> bool:
    try:
        return bool(state(follower) == held)
    except KeyError:
        # The writer gave a term another number between two of the statements that read its catalog.
        return False


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)
