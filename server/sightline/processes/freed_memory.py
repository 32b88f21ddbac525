"""Memory that was freed and that the allocator keeps all the same."""

from __future__ import annotations

import ctypes
from contextlib import suppress

from sightline.platforms import is_linux


def release_freed_memory() -> None:
    """Give it back to the system; only glibc has to be asked, others do so by themselves or not at all."""
    if is_linux():
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
