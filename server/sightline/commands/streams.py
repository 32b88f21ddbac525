"""The standard streams of a command: always open, and never an error for a character they cannot encode."""

from __future__ import annotations

import io
import os
import sys


def open_streams() -> None:
    """Replace closed streams, and escape the characters that an encoding lacks."""
    for descriptor in range(3):
        _open_descriptor(descriptor)
    if sys.stdout is None:
        sys.stdout = _null_stream()
    if sys.stderr is None:
        sys.stderr = _null_stream()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """Stop writing to stdout: flushing the rest at exit would fail again with a traceback."""
    sys.stdout = _null_stream()


def _open_descriptor(descriptor: int) -> None:
    """Occupy a closed descriptor, or libraries would print into the next opened file, maybe a database."""
    try:
        os.fstat(descriptor)
    except OSError:
        # The lowest free descriptor is used, and the lower ones are taken.
        os.open(os.devnull, os.O_RDWR)


def _null_stream() -> io.TextIOWrapper:
    return open(os.devnull, "w", encoding="utf-8")
