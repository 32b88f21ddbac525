"""Ctrl-C on a terminal."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from sightline.location import CACHE_VARIABLE
from tests.files import write_files

if sys.platform != "win32":
    import pty


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_an_interrupted_command_leaves_a_clean_line(tmp_path: Path) -> None:
    functions = "".join(
        f"def function_{number}(value):\n    return value + {number}\n\n" for number in range(30)
    )
    root = write_files(
        tmp_path / "project", {f"folder/module_{number}.py": functions for number in range(1500)}
    )
    child, terminal = pty.fork()
    if child == 0:
        # A shell starts background commands with the signal ignored, and children inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        environment = {**os.environ, CACHE_VARIABLE: str(tmp_path / "cache")}
        os.execve(sys.executable, [sys.executable, "-m", "sightline", "index", str(root)], environment)
    shown = b""
    # As soon as anything is shown: reading this many files takes far longer than a key press.
    while b"looking for files" not in shown:
        shown += os.read(terminal, 4096)
    os.write(terminal, b"\x03")
    try:
        while data := os.read(terminal, 4096):
            shown += data
    except OSError:
        # On Linux, the end of a terminal raises this error.
        pass
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert shown.endswith(b"\r\x1b[2K")
    assert b"Traceback" not in shown
