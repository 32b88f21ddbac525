"""Detects when the process that started the server has ended."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from sightline.platforms import process_exists, wait_for_process

logger = logging.getLogger(__name__)


def watch_parent(pid: int, gone: Callable[[], None]) -> None:
    """Call `gone`, from a separate thread, once the process has ended."""
    if pid <= 0 or not process_exists(pid):
        # It has just sent us a message, so it runs where we cannot see it: in another container or machine.
        logger.info("process %d cannot be watched from here", pid)
        return

    def run() -> None:
        if wait_for_process(pid):
            gone()
        else:
            logger.info("process %d cannot be watched from here", pid)

    threading.Thread(target=run, name="sightline-parent", daemon=True).start()
