"""Reads and parses many files in child processes, while this process stores the results.

A parser is native code that holds the GIL: in other processes it does not block requests here, uses the
other cores, and may hang or crash without harm.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from itertools import islice
from typing import NamedTuple

from sightline.indexing.prepare import FileRequest, Prepared, ReadOptions, prepare_file
from sightline.platforms import usable_cores
from sightline.processes.worker_process import WorkerDied, WorkerFailed, WorkerProcess

log = logging.getLogger(__name__)

_MODULE = "sightline.indexing.parser_process"
_MAX_PROCESSES = 4
# Starting the processes takes as long as parsing this many files here; the second number applies while this
# process is busy importing the model's runtime anyway.
_WORTH_FILES = 80
_WORTH_WHILE_LOADING = 20
# Few enough that memory stays small and all cores finish at about the same time.
_PART_FILES = 8
# Parts that may be queued at each process, so that one slow file does not leave the others idle.
_PARTS_AHEAD = 4
# Ordinary files take milliseconds, and the parser has a much shorter timeout of its own.
_PART_SECONDS = 60.0
_FILE_SECONDS = 20.0

_Part = tuple[FileRequest, ...]
_FAILURES = (WorkerDied, WorkerFailed, FutureTimeoutError)


class _Running(NamedTuple):
    """A part of the work, and the process that runs it; none if it was done in this one."""

    part: _Part
    worker: WorkerProcess | None
    future: Future[list[Prepared]]


class ParserPool:
    """The processes that parse a folder's files, if there are enough files to be worth it.

    A process that dies or hangs is replaced, and its files are retried one by one. If no process can be
    started, the work is done in this one.
    """

    def __init__(self, read_options: ReadOptions, *, alone: bool, loading: bool = False) -> None:
        """Start no process yet; `alone` does all work in this one, `loading` means the model is loading."""
        self._read_options = read_options
        self._min_files = _WORTH_WHILE_LOADING if loading else _WORTH_FILES
        self._count = 1 if alone else min(usable_cores(), _MAX_PROCESSES)
        self._workers: list[WorkerProcess] = []
        self._isolated_worker: WorkerProcess | None = None
        self._running: deque[_Running] = deque()

    def expect(self, files: int) -> None:
        """Announce a number of files: if they are many, start processes while the rest is being found."""
        if self._count > 1 and not self._workers and files >= self._min_files:
            self._workers = list(filter(None, (_start() for _ in range(self._count))))
            self._count = len(self._workers)

    def prepare_all(self, wanted: Sequence[FileRequest]) -> Iterator[Prepared]:
        """Prepare each file; results are in the order of the requests, whichever process finishes first."""
        self.expect(len(wanted))
        files = iter(wanted)
        while self._fill(files):
            yield from self._results(self._running.popleft())
        yield from (prepare_file(self._read_options, each) for each in files)

    def close(self) -> None:
        """Kill the processes, whatever they are doing."""
        for worker in (*self._workers, self._isolated_worker):
            if worker:
                worker.kill()

    def _fill(self, files: Iterator[FileRequest]) -> bool:
        while len(self._running) < len(self._workers) * _PARTS_AHEAD:
            part = tuple(islice(files, _PART_FILES))
            if not part:
                break
            self._running.append(self._begin(part))
        return bool(self._running)

    def _begin(self, part: _Part) -> _Running:
        """Give a part to the process with the least work; a dead one is replaced before it gets any."""
        while self._workers:
            worker = min(self._workers, key=self._load)
            try:
                return _Running(part, worker, worker.submit("prepare", self._read_options, part))
            except WorkerDied:
                self._replace(worker)
        here: Future[list[Prepared]] = Future()
        here.set_result([prepare_file(self._read_options, each) for each in part])
        return _Running(part, None, here)

    def _load(self, worker: WorkerProcess) -> int:
        return sum(each.worker is worker and not each.future.done() for each in self._running)

    def _results(self, running: _Running) -> Iterator[Prepared]:
        try:
            return iter(running.future.result(_PART_SECONDS))
        except _FAILURES as error:
            log.warning("a parser process failed (%r); its files are retried one by one", error)
            self._replace(running.worker)
            return map(self._prepare_isolated, running.part)

    def _replace(self, worker: WorkerProcess | None) -> None:
        if worker:
            worker.kill()
        kept = (_start() if each is worker else each for each in self._workers)
        self._workers = list(filter(None, kept))

    def _prepare_isolated(self, wanted: FileRequest) -> Prepared:
        """Prepare one file in a process of its own; if that fails, cut the file by lines."""
        self._isolated_worker = self._isolated_worker or _start()
        if self._isolated_worker:
            try:
                reply = self._isolated_worker.submit("prepare", self._read_options, (wanted,))
                prepared: list[Prepared] = reply.result(_FILE_SECONDS)
                return prepared[0]
            except _FAILURES as error:
                log.warning("%s cannot be parsed (%r) and is cut by lines", wanted.path, error)
                self._isolated_worker.kill()
                self._isolated_worker = None
        return prepare_file(self._read_options, wanted, parse=False)


def _start() -> WorkerProcess | None:
    try:
        return WorkerProcess(_MODULE, "parser")
    except OSError as error:
        log.warning("cannot start a parser process: %s", error)
        return None
