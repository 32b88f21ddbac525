"""What all processes that serve a client share: log lines without control characters, and a bounded exit."""

from __future__ import annotations

import logging
import os
import sys
import threading
from typing import Any

from sightline.visible import visible


class VisibleFormatter(logging.Formatter):
    """Formats log lines so that file names can neither start a new line nor control a terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line itself."""
        return visible(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        """The traceback below it, which keeps its line breaks."""
        return visible(super().formatException(ei), keep="\n")


def log_to_stderr() -> None:
    """Log warnings and errors to stderr: stdout belongs to the protocol."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(VisibleFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def end_within(seconds: float, code: int) -> None:
    """End the process after a delay, whatever threads still run."""
    timer = threading.Timer(seconds, os._exit, (code,))
    timer.daemon = True
    timer.start()
