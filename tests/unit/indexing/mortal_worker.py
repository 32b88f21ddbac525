"""A parser's process in which some files are fatal, as a broken grammar would be."""

from __future__ import annotations

import os
import time

from sightline.indexing import drafting_worker
from sightline.indexing.taking import Reading, Taken, Wanted, take


def fatal(reading: Reading, wanted: Wanted) -> Taken:
    """Crash, hang or fail at files that say so in their name."""
    if "crash" in wanted.path:
        os.abort()
    if "hang" in wanted.path:
        time.sleep(600)
    if "fail" in wanted.path:
        raise RuntimeError("out of order")
    return take(reading, wanted)


def main() -> None:
    """Serve as the real one does."""
    vars(drafting_worker)["take"] = fatal
    drafting_worker.main()
