"""Permissions that are revoked and restored; run as a separate process because root ignores permissions."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sightline.errors import SightlineError
from sightline.workspace import Workspace
from tests.faults.harness import assert_consistent, session, write_project


def check_unreadable_files_are_skipped(root: Path) -> None:
    """An unreadable file and folder are counted as skipped, and indexed again once they are readable."""
    unreadable = (root / "src" / "file0.py", root / "lib")
    with session(root) as running:
        for path in unreadable:
            path.chmod(0)
        running.folder.changed([unreadable[0], root / "lib" / "file1.go"])
        running.settle()
        assert running.messages == [], running.messages
        running.reconcile()
        assert running.folder.status().skipped == {"unreadable": 2}, running.folder.status()
        assert running.find("user")
        assert_consistent(running)
        for path in unreadable:
            path.chmod(0o700)
        running.reconcile()
        assert running.folder.status().skipped == {}
        assert_consistent(running)


def check_unreadable_root_keeps_its_index(root: Path) -> None:
    """A root that becomes unreadable is reported once, and its index is kept."""
    with session(root) as running:
        files = running.folder.status().files_indexed
        root.chmod(0)
        for _ in range(3):
            running.folder.reconcile()
            running.settle()
        assert len(running.messages) == 1, running.messages
        assert running.folder.status().files_indexed == files
        assert running.find("user")
        root.chmod(0o700)
        running.reconcile()
        assert_consistent(running)


def check_unreadable_root_is_rejected_with_a_reason(root: Path) -> None:
    """Opening an unreadable root raises an error that mentions permissions."""
    root.chmod(0)
    with pytest.raises(SightlineError, match="permissions"):
        Workspace().add_folder(root)
    root.chmod(0o700)


def check_read_only_cache_is_replaced(root: Path) -> None:
    """A read-only cache folder is replaced by a temporary one for the session."""
    cache = root.parent / "cache"
    cache.chmod(0o500)
    (cache / "indexes").chmod(0o500)
    try:
        (root / "new.py").write_text("def new(user):\n    return user\n")
        with session(root) as running:
            assert running.find("user")
            assert running.folder.state == "ready", running.messages
    finally:
        cache.chmod(0o700)
        (cache / "indexes").chmod(0o700)


def main() -> None:
    """Run every check on one project."""
    root = write_project(Path(sys.argv[1]).resolve() / "project")
    check_unreadable_files_are_skipped(root)
    check_unreadable_root_keeps_its_index(root)
    check_unreadable_root_is_rejected_with_a_reason(root)
    check_read_only_cache_is_replaced(root)


if __name__ == "__main__":
    main()
