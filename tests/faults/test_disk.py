"""A cache folder that is full, read-only or without permissions."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.location import CACHE_VARIABLE
from tests.damage import fill
from tests.faults.harness import Session, as_ordinary_user, assert_consistent, session, write_project


@pytest.fixture
def small_disk(tmp_path: Path, project: Path) -> Iterator[Path]:
    """A file system of a few megabytes in place of the cache folder."""
    disk = tmp_path / "cache"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], capture_output=True)
    if mounted.returncode:
        pytest.skip("a full and a read-only disk need root and a mount: NOT TESTED on this machine")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_disk_that_becomes_full_loses_no_stored_data(project: Path, small_disk: Path) -> None:
    with session(project) as running:
        filler = fill(small_disk)
        write_project(project, files=60, seed=2)
        running.folder.reconcile()
        running.until(lambda: running.count_messages("full"))
        assert running.folder.state == "degraded"
        assert running.find("user")
        running.folder.reconcile()
        running.settle()
        assert running.count_messages("full") == 1, running.messages
        filler.unlink()
        running.until(lambda: running.folder.state == "ready")
        assert_consistent(running)
    with session(project) as running:
        assert_consistent(running)


def test_a_disk_that_is_full_at_start_is_used_once_space_is_free(project: Path, small_disk: Path) -> None:
    filler = fill(small_disk)
    running = Session(project)
    try:
        running.until(lambda: running.messages)
        running.find("user")
        filler.unlink()
        running.until(lambda: running.folder.state == "ready")
        assert_consistent(running)
        assert len(running.messages) == 1, running.messages
    finally:
        running.close()


def test_a_read_only_cache_is_replaced_for_the_session(project: Path, small_disk: Path) -> None:
    with session(project):
        pass
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with session(project) as running:
        assert running.count_messages("temporary folder") == 1, running.messages
        assert len(running.messages) == 1, running.messages
        assert running.folder.state == "ready"
        assert_consistent(running)


def test_revoked_and_restored_permissions_are_handled(tmp_path: Path) -> None:
    ordinary = as_ordinary_user()
    if os.geteuid() == 0 and not ordinary:
        pytest.skip("root ignores permissions, and there is no setpriv: permissions NOT TESTED")
    command = [*ordinary, sys.executable, "-m", "tests.faults.rights", str(tmp_path)]
    environment = {
        **os.environ,
        "XDG_CONFIG_HOME": str(tmp_path),
        CACHE_VARIABLE: str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
