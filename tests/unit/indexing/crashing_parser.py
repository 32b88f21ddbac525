"""A parser process in which some files are fatal, as with a broken grammar."""

from __future__ import annotations

import os
import time

from sightline.indexing import parser_process
from sightline.indexing.prepare import FileRequest, Prepared, ReadOptions, prepare_file


def prepare_or_crash(reading: ReadOptions, wanted: FileRequest) -> Prepared:
    """Crash, hang or fail on files whose name contains that word."""
    if "crash" in wanted.path:
        os.abort()
    if "hang" in wanted.path:
        time.sleep(600)
    if "fail" in wanted.path:
        raise RuntimeError("out of order")
    return prepare_file(reading, wanted)


def main() -> None:
    """Serve requests as the real process does."""
    vars(parser_process)["prepare_file"] = prepare_or_crash
    parser_process.main()
