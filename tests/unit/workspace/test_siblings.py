"""A second work tree or clone starts with the entries of the same files in the first one's index."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sightline.indexing import updater as updating
from sightline.indexing.file_record import PreparedFile
from sightline.indexing.prepare import Prepared
from sightline.indexing.repository import repository_keys
from sightline.indexing.siblings import start_from_sibling
from sightline.location import CACHE_VARIABLE, index_dir
from sightline.types import SearchRequest
from tests import damage
from tests.faults.harness import CATALOG, Session, session, source
from tests.files import write_files
from tests.unit.workspace.index_state import memory_of, state
from tests.worktrees import git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

# Scores have six digits.
_ROUNDING = 3e-6
_QUERIES = ("user", "how is the basket used", "ledger_engine", "alpha")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were parsed again."""
    found: list[str] = []
    add = updating.Updater._add

    def note(self: updating.Updater, batch: Any, prepared: Prepared, path: str, known: Any) -> None:
        if isinstance(prepared, PreparedFile):
            found.append(path)
        add(self, batch, prepared, path, known)

    monkeypatch.setattr(updating.Updater, "_add", note)
    return found


class _About(float):
    """A score that equals others but for rounding."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, float) and abs(self - other) < _ROUNDING

    __hash__ = float.__hash__


def _answers(running: Session) -> list[Any]:
    results = [running.workspace.search(SearchRequest(query, limit=20)) for query in _QUERIES]
    return [
        # Vectors in another order have other rounding errors, which may show in the last digit of a score.
        [(hit.path, hit.start_line, _About(hit.score), hit.why, hit.snippet) for hit in found.hits]
        for found in results
    ]


def _fresh(root: Path, tmp_path: Path, editor: Mapping[str, object] | None = None) -> tuple[Any, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(tmp_path / "nothing-known"))
        with session(root, editor) as running:
            return state(running.folder), _answers(running)


def _content(folder: Path) -> dict[str, bytes]:
    # SQLite's shared memory records the readers; an empty log belongs to it.
    kept = (path for path in folder.iterdir() if path.is_file() and not path.name.endswith(("-shm", "-wal")))
    return {path.name: path.read_bytes() for path in kept}


@pytest.mark.parametrize("seed", range(4))
def test_an_index_copied_from_a_sibling_equals_a_newly_built_one(
    second: Path, tmp_path: Path, parsed: list[str], seed: int
) -> None:
    rng = random.Random(seed)
    for path in sorted(second.rglob("*.*")):
        happens = rng.random()
        if not path.is_file() or path.name == ".git" or happens < 0.6:
            continue
        if happens < 0.8:
            path.write_text(source(path.suffix, rng))
        elif happens < 0.9:
            path.unlink()
        else:
            path.rename(path.with_name(f"renamed_{path.name}"))
    before = _content(index_dir(second.with_name("first")))
    with session(second) as running:
        taken_over, answers = state(running.folder), _answers(running)
    assert _content(index_dir(second.with_name("first"))) == before
    assert len(parsed) < len(taken_over["files"]), "no file was copied from the sibling"
    assert (taken_over, answers) == _fresh(second, tmp_path)


def test_equal_files_are_neither_parsed_nor_embedded_again(
    second: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a text was embedded again")

    with closing(sqlite3.connect(index_dir(second.with_name("first")) / CATALOG)) as database:
        assert database.execute("SELECT count(*) FROM embeddings").fetchone() == (0,), "only in the snapshot"
    monkeypatch.setattr("sightline.indexing.embedding_queue.embed_passages", refuse)
    with session(second) as running:
        assert running.folder.status().files_indexed == 14
        assert running.folder.status().state == "ready"
        memory = memory_of(running.folder)
        assert memory.embedded() == memory.live
    assert parsed == []


def test_a_clone_is_a_sibling_and_so_are_clones_of_one_remote(
    first: Path, tmp_path: Path, parsed: list[str]
) -> None:
    clone, other = tmp_path / "clone", tmp_path / "other"
    subprocess.run(["git", "clone", "--quiet", str(first), str(clone)], check=True, capture_output=True)
    with session(clone):
        assert parsed == []
    git(clone, "remote", "set-url", "origin", "https://me:secret@Example.com/us/project.git")
    shutil.copytree(clone, other)
    git(other, "remote", "set-url", "origin", "git@example.com:us/project")
    assert repository_keys(clone) & repository_keys(other)
    assert not repository_keys(other) & repository_keys(first)
    assert not repository_keys(clone / "src") & repository_keys(other)
    assert repository_keys(clone / "src") & repository_keys(other / "src")


def test_an_unrelated_repository_is_not_a_sibling(first: Path, tmp_path: Path) -> None:
    stranger = tmp_path / "stranger"
    shutil.copytree(first, stranger)
    assert not start_from_sibling(stranger, index_dir(stranger) / CATALOG)
    assert not index_dir(stranger).exists()


def test_before_the_first_walk_only_existing_files_can_be_found(second: Path) -> None:
    (second / "src" / "helper.py").unlink()
    (second / "src" / "caller.py").write_text("other\n")
    catalog = index_dir(second) / CATALOG
    catalog.parent.mkdir(parents=True)
    assert start_from_sibling(second, catalog)
    with closing(sqlite3.connect(catalog)) as database:
        paths = {path for (path,) in database.execute("SELECT path FROM files")}
        assert not paths & {"src/helper.py", "src/caller.py"}
        assert len(paths) == 12
        for table in ("chunks", "symbols", "facts"):
            left = f"SELECT count(*) FROM {table} WHERE file_id NOT IN (SELECT id FROM files)"
            assert database.execute(left).fetchone() == (0,)


def test_rules_secrets_and_limits_of_the_new_work_tree_apply(second: Path, tmp_path: Path) -> None:
    (second / ".sightlineignore").write_text("lib/\n")
    (second / "docs" / "file2.md").write_text("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n" * 9)
    editor = {"indexing": {"max_file_bytes": 400}}
    with session(second, editor) as running:
        found = state(running.folder)
    assert not any(path.startswith("lib/") for path in found["files"])
    assert "docs/file2.md" not in found["files"]
    assert found == _fresh(second, tmp_path, editor)[0]


def test_with_other_language_settings_every_file_is_parsed_again(
    second: Path, tmp_path: Path, parsed: list[str]
) -> None:
    editor = {"indexing": {"languages": {".py": "ruby"}}}
    with session(second, editor) as running:
        found = state(running.folder)
    assert len(parsed) == 14
    assert {language for path, (_, language, *_) in found["files"].items() if path.endswith(".py")} == {
        "ruby"
    }
    assert found == _fresh(second, tmp_path, editor)[0]


def test_entries_of_an_older_parser_version_are_rebuilt(
    second: Path, tmp_path: Path, parsed: list[str]
) -> None:
    with closing(sqlite3.connect(index_dir(second.with_name("first")) / CATALOG)) as database:
        database.execute("UPDATE meta SET value = 'older' WHERE key = 'parser_version'")
        # The parser version is part of a chunk's identity.
        database.execute("UPDATE chunks SET signature = 'older', identity = randomblob(16)")
        database.commit()
    with session(second) as running:
        found = state(running.folder)
    assert len(parsed) == 14
    assert found == _fresh(second, tmp_path)[0]


def _of_another_format(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA user_version = 1")


@pytest.mark.parametrize(
    "break_file",
    [damage.cut, damage.empty, damage.garble, damage.garble_lightly, _of_another_format, Path.unlink],
)
def test_a_sibling_that_cannot_be_read_is_ignored(
    second: Path, tmp_path: Path, break_file: Callable[[Path], None]
) -> None:
    break_file(index_dir(second.with_name("first")) / CATALOG)
    with session(second) as running:
        assert running.messages == []
        assert state(running.folder) == _fresh(second, tmp_path)[0]
    assert [path.name for path in index_dir(second).glob("*.new*")] == []


def test_a_sibling_that_is_being_written_is_read_as_a_snapshot(second: Path, tmp_path: Path) -> None:
    with session(second.with_name("first")) as writer:
        catalog = memory_of(writer.folder).catalog
        with catalog.writing():
            catalog.remove("src/helper.py")
            with session(second) as running:
                assert state(running.folder) == _fresh(second, tmp_path)[0]
        assert writer.folder.status().writer
        writer.folder.reconcile()
        writer.settle()
        assert writer.messages == []


def test_a_cleared_index_stays_empty(second: Path) -> None:
    with session(second) as running:
        running.folder.clear()
        running.settle()
        assert running.folder.status().files_indexed == 0


def test_the_url_of_a_remote_is_not_stored(first: Path) -> None:
    write_files(first, {"new.py": "def new():\n    pass\n"})
    git(first, "remote", "add", "origin", "https://me:secret@example.com/us/project.git")
    with session(first):
        pass
    stored = (index_dir(first) / CATALOG).read_bytes()
    assert b"example.com" not in stored
    assert b"secret" not in stored
