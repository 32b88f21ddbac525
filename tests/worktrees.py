"""A git repository with an index, and a second work tree of it that has none yet."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.faults.harness import session, write_project


def git(root: Path, *arguments: str) -> None:
    """Run git in a folder; it must succeed."""
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *who, *arguments], check=True, capture_output=True)


def indexed_repository(root: Path) -> Path:
    """Write a repository of 14 files, index it and close the index."""
    write_project(root)
    (root / "src" / "caller.py").write_text("from src.helper import help_user\n\nhelp_user(1)\n")
    (root / "src" / "helper.py").write_text("def help_user(user):\n    return user\n")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "x")
    with session(root):
        return root


def second_work_tree(first: Path) -> Path:
    """Check the same commit out beside the first work tree."""
    root = first.with_name("second")
    git(first, "worktree", "add", "--quiet", str(root))
    return root
