"""Checks out the searched trees from bare git mirrors: MIRRORS/OWNER+NAME/repo."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from tests.benchmarks.ranking.tasks import Project


class Missing(Exception):
    """Something that a project needs is missing; the message says what."""


def mirror_of(project: Project, mirrors: Path) -> Path:
    """The project's git directory."""
    found = mirrors / project.source.replace("/", "+") / "repo"
    if not found.exists():
        raise Missing(f"{found} is not there: a bare mirror of {project.source}")
    return found


def tree(project: Project, mirrors: Path, work: Path) -> Path:
    """The project's folder at its revision, checked out on first use."""
    target = work / "trees" / f"{project.name}-{project.revision[:8]}"
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    # Mirrors may lack their largest files; no search reads those.
    left_out = [f":(exclude){path}" for path in project.leave_out]
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        archive = Path(scratch, "tree.tar")
        git_dir = f"--git-dir={mirror_of(project, mirrors)}"
        _git([git_dir, "archive", "-o", str(archive), project.revision, project.root, *left_out])
        with tarfile.open(archive) as tar:
            tar.extractall(Path(scratch, "tree"), filter=_plain)
        shutil.move(Path(scratch, "tree", project.root), target)
    return target


def _plain(member: tarfile.TarInfo, folder: str) -> tarfile.TarInfo | None:
    """Keep only files and folders, because links may lead out of the tree."""
    return member if member.isfile() or member.isdir() else None


class Steps:
    """One work tree that moves from commit to commit, like a developer's."""

    def __init__(self, project: Project, mirrors: Path, work: Path) -> None:
        self.root = work / "steps" / project.name
        self.root.mkdir(parents=True, exist_ok=True)
        self._git_dir = mirror_of(project, mirrors)

    def move(self, commit: str) -> None:
        """Check out a commit in the work tree."""
        # The mirror is only read: its HEAD does not change, and the index is stored next to the work tree.
        environment = {**os.environ, "GIT_INDEX_FILE": f"{self.root}.index"}
        where = [f"--git-dir={self._git_dir}", f"--work-tree={self.root}"]
        _git([*where, "read-tree", "--reset", "-u", commit], environment)


def _git(arguments: list[str], environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise Missing(f"git {arguments[-1]}: {done.stderr.strip()[:200]}")
