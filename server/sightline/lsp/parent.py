"""Notices when the process that started the server is gone."""

from __future__ import annotations

import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable

_POLL_SECONDS = 5.0

logger = logging.getLogger(__name__)


def watch_parent(pid: int, gone: Callable[[], None]) -> None:
    """Call `gone`, from a thread of its own, once the process has ended."""
    if pid <= 0 or not _alive(pid):
        # It just sent us a message, so it lives where we cannot see it: in another container or machine.
        logger.info("process %d cannot be watched from here", pid)
        return

    def run() -> None:
        _wait(pid)
        gone()

    threading.Thread(target=run, name="sightline-parent", daemon=True).start()


def _wait(pid: int) -> None:
    """Block until the process has ended, without waking up where the system can tell us."""
    if sys.platform == "win32":
        _wait_windows(pid)
    elif hasattr(os, "pidfd_open"):
        _wait_descriptor(pid)
    else:
        _wait_polling(pid)


def _wait_descriptor(pid: int) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    except OSError:
        _wait_polling(pid)
        return
    select.select([descriptor], [], [])
    os.close(descriptor)


def _wait_polling(pid: int) -> None:
    while _alive(pid):
        time.sleep(_POLL_SECONDS)


def _alive(pid: int) -> bool:
    if sys.platform == "win32":
        # Signal 0 would end the process there.
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _wait_windows(pid: int) -> None:
    if sys.platform == "win32":
        import ctypes

        synchronize, infinite = 0x0010_0000, 0xFFFF_FFFF
        handle = ctypes.windll.kernel32.OpenProcess(synchronize, False, pid)
        if not handle:
            logger.info("process %d cannot be watched from here", pid)
            threading.Event().wait()
        ctypes.windll.kernel32.WaitForSingleObject(handle, infinite)
        ctypes.windll.kernel32.CloseHandle(handle)
