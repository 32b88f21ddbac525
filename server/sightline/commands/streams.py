"""The standard streams of a command: always there, never an error for what they cannot say."""

from __future__ import annotations

import io
import os
import sys


def open_streams() -> None:
    """Put something in place of closed streams, and have escapes for what an encoding cannot say."""
    for descriptor in range(3):
        _open_descriptor(descriptor)
    if sys.stdout is None:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """Write no more to stdout: what is left there would fail again, noisily, at exit."""
    sys.stdout = _nowhere()


def _open_descriptor(descriptor: int) -> None:
    """Keep the next file that is opened, maybe a database, from being what libraries print to."""
    try:
        os.fstat(descriptor)
    except OSError:
        # The lowest free number is given out, and those below are taken.
        os.open(os.devnull, os.O_RDWR)


def _nowhere() -> io.TextIOWrapper:
    return open(os.devnull, "w", encoding="utf-8")
