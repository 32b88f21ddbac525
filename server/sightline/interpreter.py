"""How Python runs in a process that holds an index; set by the entry points."""

from __future__ import annotations

import gc
import sys

# An index is many objects that live on: looking for cycles among them at every 700 new ones, as Python does,
# takes a tenth of the time of indexing.
_COLLECTION = (50_000, 20, 50)
# Indexing keeps the interpreter as long as it may; with Python's 5 ms a request waits that long to begin.
_SWITCH_SECONDS = 0.001


def tune_interpreter() -> None:
    """Collect garbage rarely and switch threads often."""
    gc.set_threshold(*_COLLECTION)
    sys.setswitchinterval(_SWITCH_SECONDS)
