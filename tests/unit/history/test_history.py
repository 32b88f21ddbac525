"""Past commits lead to files; without git, a repository or the setting there is no history."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest

from sightline.embedding.model_registry import ModelRegistry
from sightline.folder import Folder
from sightline.history.history import History
from sightline.history.log import Commit, Git, parsed
from sightline.history.subjects import Subjects, Touch
from sightline.indexing.gate import Gate
from sightline.search.results.reasons import _age
from sightline.settings.tree import SearchSettings, Settings
from sightline.types import SearchRequest
from tests.files import write_files
from tests.unit.search.small_index import build_memory, make_searcher

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

_FILES = {"app/forms.py": "def check(value):\n    return value\n", "app/views.py": "def show():\n    pass\n"}

_HEAVY = {"history": 3.0}


def _same(known: Subjects) -> Subjects:
    return known


def _git(root: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *settings, *arguments], check=True, capture_output=True)


def _commit(root: Path, subject: str, *paths: str) -> None:
    for path in paths:
        with (root / path).open("a", encoding="utf-8") as file:
            file.write(f"# {subject}\n")
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "--allow-empty", "-m", subject)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a first commit and two changes."""
    root = write_files(tmp_path / "repository", _FILES)
    _git(root, "init", "-q")
    _commit(root, "Import everything")
    _commit(root, "Fix xsrf token", "app/forms.py")
    _commit(root, "Speed up rendering", "app/views.py")
    return root


def _read(history: History) -> Subjects:
    history.current()
    if history._reading is not None:
        history._reading.join()
    return history.current()


def _paths(history: History, *terms: str) -> list[str]:
    return sorted(_read(history).touched(terms))


def test_subjects_lead_to_files(repository: Path) -> None:
    history = History(repository)
    assert _paths(history, "xsrf") == ["app/forms.py"]
    assert _paths(history, "render") == ["app/views.py"]
    # The first commit seems to change every file.
    assert _paths(history, "import") == []


def test_only_new_commits_are_read(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = History(repository)
    before = _read(history)
    asked: list[str] = []
    read = Git.log

    def log(git: Git, revisions: str) -> list[Commit] | None:
        asked.append(revisions)
        return read(git, revisions)

    monkeypatch.setattr(Git, "log", log)
    _commit(repository, "Cache pages", "app/views.py")
    after = _read(history)
    assert asked == [f"{before.head}..{after.head}"]
    assert [commit.subject for commit in after.commits[:2]] == ["Cache pages", "Speed up rendering"]


def test_a_rewritten_history_is_read_again(repository: Path) -> None:
    history = History(repository)
    assert _paths(history, "render") == ["app/views.py"]
    _git(repository, "reset", "-q", "--hard", "HEAD~1")
    _commit(repository, "Paint slowly", "app/views.py")
    assert _paths(history, "render") == []
    assert _paths(history, "paint") == ["app/views.py"]


def test_paths_are_relative_to_the_opened_folder(repository: Path) -> None:
    assert _paths(History(repository / "app"), "xsrf") == ["forms.py"]


def test_without_git_there_is_no_history(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _read(History(repository)).commits == ()


def test_a_git_inside_the_folder_is_not_run(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = repository / "git"
    program.write_text("#!/bin/sh\ntouch RAN\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(repository) + os.pathsep + "/nowhere")
    assert _read(History(repository)).commits == ()


def test_without_a_repository_there_is_no_history(tmp_path: Path) -> None:
    assert _read(History(tmp_path)).commits == ()
    write_files(tmp_path, {".git/config": "[core]\n"})
    assert _read(History(tmp_path)).commits == ()


def test_reading_runs_no_program_of_the_repository_and_writes_nothing(
    repository: Path, tmp_path: Path
) -> None:
    ran = tmp_path / "RAN"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "pager.log",
        "gpg.program",
        "diff.external",
        "core.sshCommand",
    ):
        _git(repository, "config", key, str(program))
    _git(repository, "config", "log.showSignature", "true")
    ran.unlink(missing_ok=True)
    before = {path: path.stat().st_mtime_ns for path in repository.rglob("*")}
    assert _paths(History(repository), "xsrf") == ["app/forms.py"]
    assert not ran.exists()
    assert {path: path.stat().st_mtime_ns for path in repository.rglob("*")} == before


def test_a_malformed_record_is_skipped() -> None:
    text = "\x1eabc\x1f12\x1fFix it\0\na.py\0b c.py\0\0\x1egarbled\0x\0"
    assert parsed(text) == [Commit("abc", 12, "Fix it", ("a.py", "b c.py"))]


def test_a_file_ranks_higher_and_explains_which_commit_did_it(tmp_path: Path) -> None:
    twins = {
        "src/one.py": "def first(zebra):\n    return 1\n",
        "src/two.py": "def second(zebra):\n    return 2\n",
    }
    memory = build_memory(tmp_path / "twins", twins)
    searcher = make_searcher(memory, tmp_path / "twins", tuning=_HEAVY)
    request = SearchRequest("zebra stripes", limit=2)
    assert all("changed by" not in hit.why for hit in searcher.search(request).hits)
    for path in twins:
        commit = Commit("abc", int(time.time()) - 22 * 86_400, "Count zebra stripes", (path, "gone.py"))
        known = Subjects([commit, Commit("d", 1, "Other", ("x",))], "abc")
        searcher = make_searcher(
            memory, tmp_path / "twins", read_history=partial(_same, known), tuning=_HEAVY
        )
        best = searcher.search(request).hits[0]
        assert best.path == path
        assert best.why.endswith("changed by 'Count zebra stripes', 3 weeks ago")


def test_smaller_commits_weigh_more_for_their_files() -> None:
    wide = Commit("a", 1, "Fix parser", tuple(f"{number}.py" for number in range(9)))
    narrow = Commit("b", 1, "Fix parser", ("small.py",))
    other = Commit("c", 1, "Write docs", ("docs.md",))
    found = Subjects([narrow, wide, other]).touched(["parser"])
    assert found["small.py"].score > 3 * found["0.py"].score
    assert found["small.py"] == Touch(found["small.py"].score, narrow)


def test_ages_are_shown_in_words() -> None:
    assert [_age(days * 86_400) for days in (0, 1, 9, 70, 800)] == [
        "just now",
        "1 day ago",
        "1 week ago",
        "2 months ago",
        "2 years ago",
    ]


@pytest.mark.parametrize("wanted", [True, False])
def test_the_setting_enables_and_disables_history(repository: Path, wanted: bool) -> None:
    settings = Settings(search=SearchSettings(history=wanted))
    folder = Folder(repository, settings, Gate(), ModelRegistry(repository), lambda event: None)
    folder.start()
    try:
        assert folder.wait_open(60) is not None
        _read(folder.history)
        searchers = folder.searchers()
        assert searchers is not None
        assert bool(searchers.searcher._read_history().commits) is wanted
    finally:
        folder.close()


def test_the_first_commit_of_a_shallow_clone_is_ignored(repository: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    _git(tmp_path, "clone", "-q", "--depth", "2", repository.as_uri(), str(clone))
    history = History(clone)
    assert _paths(history, "render") == ["app/views.py"]
    assert _paths(history, "xsrf") == []


def test_a_partial_clone_fetches_nothing(repository: Path, tmp_path: Path) -> None:
    """Git would fetch missing trees with a program that the repository's config names."""
    clone, ran, program = tmp_path / "clone", tmp_path / "RAN", tmp_path / "program"
    _git(repository, "config", "uploadpack.allowFilter", "true")
    _git(tmp_path, "clone", "-q", "--bare", "--filter=tree:0", repository.as_uri(), str(clone / ".git"))
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    _git(clone, "config", "core.bare", "false")
    _git(clone, "config", "remote.origin.uploadpack", str(program))
    assert _read(History(clone)).commits == ()
    assert not ran.exists()
    lazy = ["git", "-C", str(clone), "log", "--name-only"]
    subprocess.run(lazy, capture_output=True, check=False)
    assert ran.exists(), "the trap does not work, so the check above proves nothing"
