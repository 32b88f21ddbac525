"""Interpreter settings of a process that holds an index; applied before anything else is imported."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# An index is many long-lived objects, and so are imported modules: searching them for cycles after every 700
# new ones, as Python does, takes a tenth of the time of indexing and of starting. The modules of a server are
# 130,000 objects, which a lower number than this would search while they are being imported.
_COLLECTION = (150_000, 7, 50)
# Indexing holds the GIL for the whole switch interval; with Python's default of 5 ms a request waits that
# long to start.
_SWITCH_SECONDS = 0.001


def tune_interpreter() -> None:
    """Collect garbage rarely and switch threads often."""
    gc.set_threshold(*_COLLECTION)
    sys.setswitchinterval(_SWITCH_SECONDS)


@contextmanager
def manual_collection() -> Iterator[None]:
    """Collect garbage only when `collect_young` is called, at moments with few young objects."""
    gc.disable()
    # Without this, the first collection would search everything that was imported since the start.
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()


def collect_young() -> None:
    """Search the objects created since the last collection for cycles."""
    gc.collect(0)
