"""The end of the parent process is detected, and a parent that is not visible is not taken for dead."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from sightline.lsp.parent import watch_parent


def test_the_end_of_a_process_is_detected() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    gone = threading.Event()
    watch_parent(process.pid, gone.set)
    assert not gone.is_set()
    process.communicate(b"\n")
    assert gone.wait(60)


@pytest.mark.skipif(os.name == "nt", reason="Windows does not distinguish these process ids")
@pytest.mark.parametrize("pid", [0, -1, 2**31 - 2, 2**80])
def test_a_process_that_is_not_visible_is_not_taken_for_dead(pid: int) -> None:
    gone = threading.Event()
    watch_parent(pid, gone.set)
    assert not gone.wait(0.2)
