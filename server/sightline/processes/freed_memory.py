"""Returns memory to the system that was freed but that the allocator still holds."""

from __future__ import annotations

import ctypes
import gc
import threading
import time
from contextlib import suppress

from sightline.platforms import is_linux

_QUIET_SECONDS = 60.0


def release_freed_memory() -> None:
    """Return freed memory; only glibc needs a call, other allocators do it themselves or not at all."""
    # Old data in cycles would wait for a collection of everything, which is rare.
    gc.collect()
    if is_linux():
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


class ReleaseWhenQuiet:
    """Returns freed memory once nothing was done for a while; uses no processor time before and after."""

    def __init__(self, seconds: float = _QUIET_SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._last_use = 0.0
        self._timer: threading.Timer | None = None

    def used(self) -> None:
        """Note that something is being done."""
        self._last_use = time.monotonic()
        # One timer for a whole busy period: it looks when the last use was.
        with self._lock:
            if self._timer is None:
                self._start(self._seconds)

    def close(self) -> None:
        """Release nothing any more."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()

    def _start(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._check)
        self._timer.daemon = True
        self._timer.start()

    def _check(self) -> None:
        with self._lock:
            left = self._last_use + self._seconds - time.monotonic()
            if left > 0:
                self._start(left)
                return
            self._timer = None
        release_freed_memory()
