"""The process that reads and parses files for another one."""

from __future__ import annotations

import copyreg
import gc
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from sightline.indexing.file_record import PreparedFile
from sightline.indexing.prepare import FileRequest, Prepared, ReadOptions, prepare_file
from sightline.interpreter import collect_young
from sightline.parsed_file import Chunk, Symbol
from sightline.processes.worker_pipe import pipes, received, run, send
from sightline.stores.catalog.records import ChunkDraft, FileDraft

_NICENESS = 5

_Record = TypeVar("_Record")


def main() -> None:
    """Serve the parent process."""
    requests, replies = pipes(_NICENESS)
    _pickle_by_fields()
    # Parsing a file leaves trees without cycles: searching for cycles would cost a tenth of the time, and
    # searching the caches of words too, after every part, more the longer the process runs.
    gc.freeze()
    gc.disable()
    # A parent that is gone needs no answer.
    with suppress(BrokenPipeError):
        for number, _, arguments in received(requests):
            send(replies, run(_prepare_files, number, arguments))
            collect_young()


def _prepare_files(read_options: ReadOptions, part: tuple[FileRequest, ...]) -> list[Prepared]:
    return [prepare_file(read_options, wanted) for wanted in part]


def _pickle_by_fields() -> None:
    """Pickle as calls: what named tuples default to is found by Python code, which takes twice as long."""
    for kind in (Symbol, ChunkDraft, FileDraft, PreparedFile):
        _register(kind, tuple)
    # The text of a chunk is part of the embedded text; it is not needed a second time.
    _register(Chunk, lambda chunk: ("", *chunk[1:]))


def _register(kind: type[_Record], fields: Callable[[_Record], tuple[Any, ...]]) -> None:
    copyreg.pickle(kind, lambda value: (kind, fields(value)))
