"""The folder lock between objects and between real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from sightline.stores.catalog.folder_lock import FolderLock

HOLD = """
import sys, time
from pathlib import Path
from sightline.stores.catalog.folder_lock import FolderLock
lock = FolderLock(Path(sys.argv[1]))
print(lock.try_acquire(), flush=True)
time.sleep(60)
"""


def hold(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "True"
    return process


def acquired_within(lock: FolderLock, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not lock.try_acquire():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_only_one_of_two_objects_gets_the_lock(tmp_path: Path) -> None:
    first, second = FolderLock(tmp_path / "lock"), FolderLock(tmp_path / "lock")
    assert first.try_acquire()
    assert first.try_acquire()
    assert not second.try_acquire()
    assert second.holder() == os.getpid()
    first.release()
    assert second.holder() is None
    assert second.try_acquire()
    second.release()
    second.release()
    assert not second.held


def test_another_process_cannot_lock_and_sees_the_holder(tmp_path: Path) -> None:
    process = hold(tmp_path / "lock")
    try:
        lock = FolderLock(tmp_path / "lock")
        assert not lock.try_acquire()
        assert lock.holder() == process.pid
    finally:
        process.kill()
        process.communicate()


def test_the_lock_of_a_killed_process_is_free_again(tmp_path: Path) -> None:
    process = hold(tmp_path / "lock")
    process.kill()
    process.communicate()
    lock = FolderLock(tmp_path / "lock")
    assert acquired_within(lock, 10)
    assert lock.holder() == os.getpid()
    lock.release()


def test_a_child_process_started_meanwhile_does_not_keep_the_lock(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path / "lock")
    assert lock.try_acquire()
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], close_fds=False)
    try:
        lock.release()
        assert FolderLock(tmp_path / "lock").try_acquire()
    finally:
        child.kill()
        child.wait()


def test_a_missing_index_folder_is_created(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path / "new" / "lock")
    assert lock.try_acquire()
    lock.release()


def test_a_corrupt_lock_file_has_no_holder_and_still_locks(tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b"\xff\x00 what")
    lock = FolderLock(tmp_path / "lock")
    assert lock.holder() is None
    assert lock.try_acquire()
    lock.release()
