"""Faults in the files of a workspace: removed and restored, changed while read, hostile, too many."""

from __future__ import annotations

import os
import shutil
import threading
import time
from pathlib import Path

import pytest

from tests.faults.harness import assert_consistent, session

_HOUR_NS = 3_600_000_000_000
_DEEP = {
    "src/deep.py": "x = " + "(" * 100_000 + ")" * 100_000,
    "src/deep.json": "[" * 100_000 + "]" * 100_000,
    "src/deep.js": "f(\n" * 50_000 + ")" * 50_000,
    "docs/deep.md": "> " * 100_000 + "user\n",
    "lib/deep.go": "package lib\n" + "func f() {" * 20_000,
}


def test_a_folder_removed_and_restored_keeps_its_index(project: Path) -> None:
    away = project.with_name("away")
    with session(project) as running:
        files = running.folder.status().files_indexed
        project.rename(away)
        running.folder.changed([project / "src" / "file0.py", project])
        running.settle()
        running.folder.reconcile()
        running.settle()
        assert running.count_messages("does not exist") == 1, running.messages
        assert running.folder.status().files_indexed == files
        assert running.find("user")
        away.rename(project)
        # No event reports that the folder is back: the index polls for it.
        running.until(lambda: running.folder.state == "ready")
        assert_consistent(running)


def test_a_replaced_folder_is_indexed_with_its_new_content(project: Path) -> None:
    with session(project) as running:
        shutil.rmtree(project)
        project.mkdir()
        (project / "other.py").write_text("def other(user):\n    return user\n")
        running.reconcile()
        assert running.folder.status().files_indexed == 1
        assert_consistent(running)


def test_a_file_that_changes_while_it_is_read_ends_up_as_on_disk(project: Path) -> None:
    target, stopped = project / "src" / "busy.py", threading.Event()

    def rewrite() -> None:
        number = 0
        while not stopped.is_set():
            number += 1
            target.write_text(f"def version_{number % 10}(user):\n    return user\n" * (number % 50 + 1))

    writer = threading.Thread(target=rewrite)
    with session(project) as running:
        writer.start()
        for _ in range(20):
            running.folder.changed([target])
            running.settle()
        stopped.set()
        writer.join()
        running.reconcile()
        assert running.messages == []
        assert_consistent(running)


@pytest.mark.parametrize("jump", [-_HOUR_NS, _HOUR_NS, -(10**18)])
def test_a_clock_jump_hides_no_edit(project: Path, jump: int) -> None:
    target = project / "src" / "file0.py"

    def rewrite(text: str) -> None:
        now = time.time_ns() + jump
        target.write_text(text)
        os.utime(target, ns=(now, now))

    with session(project) as running:
        for text in ("def before_it(user):\n    return user\n", "def after_all(user):\n    return user\n"):
            rewrite(text)
            running.reconcile()
        assert "src/file0.py" in running.find("after_all")
        assert_consistent(running)


def test_ten_thousand_events_are_handled_by_one_scan_of_the_folder(project: Path) -> None:
    with session(project) as running:
        for number in range(100):
            (project / f"src/many{number}.py").write_text(f"def many_{number}(user):\n    return user\n")
        for number in range(10_000):
            running.workspace.changed([project / f"src/many{number % 200}.py"])
        assert running.find("user")
        running.settle()
        assert running.messages == []
        assert_consistent(running)


def test_binary_minified_huge_and_unreadable_files_are_skipped_and_counted(project: Path) -> None:
    (project / "src" / "noise.py").write_bytes(os.urandom(50_000))
    (project / "src" / "bundle.js").write_text("f(1);" * 10_000)
    with (project / "src" / "line.json").open("w") as file:
        file.write('{"user": "' + "x" * 50_000_000 + '"}')
    os.mkfifo(project / "src" / "pipe.py")
    with session(project) as running:
        skipped = running.folder.status().skipped
        assert {"binary", "minified", "too large", "unreadable"} <= skipped.keys(), skipped
        assert_consistent(running)


def test_a_single_line_of_the_maximum_file_size_is_indexed(project: Path) -> None:
    (project / "src" / "line.json").write_text('{"user": "' + "x y " * 250_000 + '"}')
    with session(project) as running:
        assert running.folder.state == "ready"
        assert running.find("user")


def test_very_deep_nesting_is_indexed(project: Path) -> None:
    for path, text in _DEEP.items():
        (project / path).write_text(text)
    with session(project) as running:
        status = running.folder.status()
        assert status.state == "ready"
        assert status.files_indexed == 12 + len(_DEEP)
        assert running.find("user")


def test_a_folder_deeper_than_the_path_length_limit_is_not_an_error(project: Path) -> None:
    here = os.open(project, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=here)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    with session(project) as running:
        assert running.folder.state == "ready"
        assert_consistent(running)
