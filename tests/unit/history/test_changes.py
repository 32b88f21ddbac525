"""What git shows as changed, without letting the repository run anything."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sightline.errors import InvalidRequest
from sightline.history.changes import changed_files
from tests.files import write_files

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

_FILES = {".gitignore": "*.log\n", "a.py": "a\n", "sub/b.py": "b\n", "sub/größe und.py": "c\n", "d.py": "d\n"}


def _git(root: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *settings, *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = write_files(tmp_path / "repository", _FILES)
    _git(root, "init", "-q")
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "Import everything")
    return root


def test_a_clean_work_tree_has_no_changes(repository: Path) -> None:
    assert changed_files(repository) == frozenset()


def test_modified_staged_and_new_files_are_changed_and_ignored_ones_are_not(repository: Path) -> None:
    write_files(
        repository, {"a.py": "changed\n", "d.py": "staged\n", "new/deep/e.py": "e\n", "x.log": "no\n"}
    )
    _git(repository, "add", "d.py")
    (repository / "sub/größe und.py").write_text("changed too\n", "utf-8")
    assert changed_files(repository) == {"a.py", "d.py", "new/deep/e.py", "sub/größe und.py"}


def test_a_renamed_file_is_changed_under_its_new_name(repository: Path) -> None:
    _git(repository, "mv", "a.py", "moved.py")
    assert "moved.py" in changed_files(repository)


def test_paths_are_relative_to_the_folder(repository: Path) -> None:
    write_files(repository, {"a.py": "changed\n", "sub/b.py": "changed\n"})
    assert changed_files(repository / "sub") == {"b.py"}


def test_a_repository_without_a_commit_has_only_new_files(tmp_path: Path) -> None:
    root = write_files(tmp_path / "fresh", {"a.py": "a\n"})
    _git(root, "init", "-q")
    assert changed_files(root) == {"a.py"}


def test_a_folder_outside_a_repository_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="needs a git repository"):
        changed_files(tmp_path)


def test_a_broken_repository_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with pytest.raises(InvalidRequest, match="git could not list"):
        changed_files(tmp_path)


def test_a_missing_git_is_an_error(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    with pytest.raises(InvalidRequest, match="not installed"):
        changed_files(repository)


@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
def test_a_repository_cannot_run_a_program(repository: Path) -> None:
    trap = repository.parent / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{repository.parent}/RAN'\ncat\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.process", "diff.external", "core.pager"):
        _git(repository, "config", key, str(trap))
    _git(repository, "config", "filter.evil.required", "true")
    (repository / ".git/info/attributes").write_text("* filter=evil diff=evil\n")
    hooks = repository / ".git" / "hooks"
    for name in ("post-index-change", "fsmonitor-watchman", "pre-commit"):
        shutil.copy(trap, hooks / name)
    # Rewritten with the same text: git has to read the file to see that nothing changed.
    for path in ("a.py", "d.py"):
        os.utime(repository / path, (1, 1))
    write_files(repository, {"sub/b.py": "changed\n"})
    before = (repository / ".git/index").read_bytes()
    assert changed_files(repository) == {"sub/b.py"}
    assert not (repository.parent / "RAN").exists()
    assert (repository / ".git/index").read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")
def test_a_filter_whose_name_cannot_be_disabled_is_not_run(repository: Path) -> None:
    trap = repository.parent / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch '{repository.parent}/RAN'\ncat\n")
    trap.chmod(0o755)
    _git(repository, "config", "filter.a=b.clean", str(trap))
    (repository / ".git/info/attributes").write_text("* filter=a=b\n")
    os.utime(repository / "a.py", (1, 1))
    with pytest.raises(InvalidRequest, match="git could not list"):
        changed_files(repository)
    assert not (repository.parent / "RAN").exists()
