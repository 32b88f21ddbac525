"""Rights that come and go, tried in a process of its own because nothing is forbidden to root."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sightline.errors import SightlineError
from sightline.workspace import Workspace
from tests.faults.harness import assert_true, session, write_project


def forbidden_files_are_left_out(root: Path) -> None:
    """A file and a folder that may not be read are counted, and indexed again when they may."""
    shut = (root / "src" / "file0.py", root / "lib")
    with session(root) as running:
        for path in shut:
            path.chmod(0)
        running.folder.changed([shut[0], root / "lib" / "file1.go"])
        running.settle()
        assert running.told == [], running.told
        running.heal()
        assert running.folder.status().skipped == {"unreadable": 2}, running.folder.status()
        assert running.find("user")
        assert_true(running)
        for path in shut:
            path.chmod(0o700)
        running.heal()
        assert running.folder.status().skipped == {}
        assert_true(running)


def a_forbidden_root_keeps_its_index(root: Path) -> None:
    """A root that may not be read any more is told once, and its index stays."""
    with session(root) as running:
        files = running.folder.status().files_indexed
        root.chmod(0)
        for _ in range(3):
            running.folder.reconcile()
            running.settle()
        assert len(running.told) == 1, running.told
        assert running.folder.status().files_indexed == files
        assert running.find("user")
        root.chmod(0o700)
        running.heal()
        assert_true(running)


def a_forbidden_root_is_refused_in_words(root: Path) -> None:
    """Opening what may not be read is an error that says so."""
    root.chmod(0)
    with pytest.raises(SightlineError, match="permissions"):
        Workspace().add_folder(root)
    root.chmod(0o700)


def a_forbidden_cache_is_replaced(root: Path) -> None:
    """A cache folder that may not be written is replaced for the session."""
    cache = root.parent / "cache"
    cache.chmod(0o500)
    (cache / "indexes").chmod(0o500)
    try:
        (root / "new.py").write_text("def new(user):\n    return user\n")
        with session(root) as running:
            assert running.find("user")
            assert running.folder.state == "ready", running.told
    finally:
        cache.chmod(0o700)
        (cache / "indexes").chmod(0o700)


def main() -> None:
    """Try each, on one project."""
    root = write_project(Path(sys.argv[1]).resolve() / "project")
    forbidden_files_are_left_out(root)
    a_forbidden_root_keeps_its_index(root)
    a_forbidden_root_is_refused_in_words(root)
    a_forbidden_cache_is_replaced(root)


if __name__ == "__main__":
    main()
