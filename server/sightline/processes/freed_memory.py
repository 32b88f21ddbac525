"""Returns memory to the system that was freed but that the allocator still holds."""

from __future__ import annotations

import ctypes
from contextlib import suppress

from sightline.platforms import is_linux


def release_freed_memory() -> None:
    """Return freed memory; only glibc needs a call, other allocators do it themselves or not at all."""
    if is_linux():
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
