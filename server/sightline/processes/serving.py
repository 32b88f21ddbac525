"""What every process that serves a client has in common: log lines that cannot act, and a bounded end."""

from __future__ import annotations

import logging
import os
import threading
from typing import Any

from sightline.visible import visible


class VisibleFormatter(logging.Formatter):
    """Log lines in which names of files can neither start a line nor act on a terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """The line itself."""
        return visible(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        """The trace below it, which has lines of its own."""
        return visible(super().formatException(ei), keep="\n")


def end_within(seconds: float, code: int) -> None:
    """End the process after a while, whatever threads still run."""
    timer = threading.Timer(seconds, os._exit, (code,))
    timer.daemon = True
    timer.start()
