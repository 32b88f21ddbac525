"""Memory that was freed and that the allocator keeps all the same."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress


def release_freed_memory() -> None:
    """Give it back to the system; only glibc has to be asked, others do so by themselves or not at all."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
