"""The writing side of an index: prepares, commits and embeds the differences between disk and catalog."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from sightline.errors import Cancelled, IndexUnavailable
from sightline.indexing.differences import Batch, Comparison, Known
from sightline.indexing.discovery.discover import Ignore, Skipped, is_ignore_file, scan
from sightline.indexing.discovery.noise_folders import is_evidence
from sightline.indexing.discovery.path_case import stored_case
from sightline.indexing.embedding_queue import EmbeddingQueue
from sightline.indexing.events import IndexProgress, Phase
from sightline.indexing.file_record import PreparedFile
from sightline.indexing.open_index import IndexContext, OpenIndex
from sightline.indexing.parser_pool import ParserPool
from sightline.indexing.prepare import FileRequest, Prepared, ReadOptions, UnchangedFile
from sightline.indexing.reading_order import reading_order
from sightline.interpreter import collect_young, manual_collection
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.coverage import IndexCoverage, write_coverage
from sightline.stores.catalog.records import FileState, SkippedFile

# Files in one transaction: enough to make its fixed cost small, few enough to be searchable soon.
_BATCH_FILES = 64
# Above this number, walking the folder is cheaper than checking the ignore rules for each path.
_MANY_PATHS = 500
# A save this small is user-facing and as quick as a search: it does not yield to searches.
_FEW_PATHS = 8


class Updater:
    """Makes an index consistent with its folder; every method must run on the folder's worker thread."""

    def __init__(self, context: IndexContext, index: OpenIndex) -> None:
        self.index = index
        self.files_total = index.memory.files.live
        self.hidden: Mapping[str, int] = {}
        self._context = context
        self._yields = True
        self._walking = False
        self._touched: dict[str, tuple[int, int]] = {}
        self._touched_notes: dict[str, SkippedFile] = {}

    @property
    def _catalog(self) -> Catalog:
        return self.index.catalog

    def reconcile(self, *, force: bool = False) -> None:
        """Walk the folder and index every difference; with `force` also files that look unchanged."""
        self._check_root()
        self._yields = self._walking = True
        try:
            self._progress("scanning", 0, 0)
            known = Known.all(self._catalog)
            with closing(self._parser_pool()) as parsers:
                changed = self._walk(known, parsers, force=force)
                self._read_all(parsers, changed, known, force=force)
            self.files_total = self._catalog.count("files")
            self.finish_vectors()
        finally:
            self._walking = False
        write_coverage(self._catalog, IndexCoverage("complete", self.files_total))

    def update(self, paths: Iterable[Path]) -> bool:
        """Index changes at these paths; return whether that took a walk over the whole folder."""
        self._check_root()
        relative = {path for path in map(self._relative, paths) if path}
        if len(relative) > _MANY_PATHS or any(map(self._needs_walk, relative)):
            self.reconcile()
            return True
        self._yields = len(relative) > _FEW_PATHS
        known = Known.of(self._catalog, relative)
        comparison = Comparison(self._context.root, known)
        ignore = Ignore(self._context.root, self.index.settings.indexing)
        for path in sorted(relative):
            comparison.reported(path, ignore)
        self._commit(comparison)
        with closing(self._parser_pool()) as parsers:
            self._read_all(parsers, [file.path for file in comparison.found.changed], known)
        self.files_total = self._catalog.count("files")
        self.finish_vectors()
        return False

    def finish_vectors(self) -> None:
        """Wait for the vectors in progress, and compute those that an earlier run did not."""
        queue = self.index.vectors.loaded(block=True)
        if queue is None:
            return
        self._drain(queue)
        if left := queue.missing():
            self._embed_missing(queue, left)
            self._drain(queue)
        self.index.vectors.switch()

    def flush(self) -> None:
        """Write the new time stamps of files whose bytes have not changed."""
        for path, (size, mtime_ns) in self._touched.items():
            self._catalog.touch(path, size, mtime_ns)
        self._touched.clear()
        self._catalog.add_skipped(self._touched_notes.values())
        self._touched_notes.clear()

    def _walk(self, known: Known, parsers: ParserPool, *, force: bool) -> list[str]:
        """Commit what the walk alone shows; return the files to read, the most useful first."""
        comparison = Comparison(self._context.root, known)
        for item in scan(self._context.root, self.index.settings.indexing, self._context.stop.is_set):
            comparison.walked(item, force=force)
            parsers.expect(len(comparison.found.changed))
        found = comparison.end_walk()
        self.hidden, self.files_total = found.hidden, found.files
        self._commit(comparison)
        return reading_order(found.changed, self._open_files(), time.time_ns())

    def _read_all(self, parsers: ParserPool, paths: list[str], known: Known, *, force: bool = False) -> None:
        comparison = Comparison(self._context.root, known)
        requests = [_request(path, None if force else known.files.get(path)) for path in paths]
        # Parsed files are many objects without cycles, gone once they are stored: searching them would cost a
        # twentieth of the time.
        with manual_collection():
            for done, (path, prepared) in enumerate(zip(paths, parsers.prepare_all(requests), strict=True)):
                self._check()
                self._add(comparison, prepared, path, known)
                if len(comparison.found.batch) >= _BATCH_FILES:
                    self._commit(comparison)
                    collect_young()
                if len(paths) > 1:
                    self._progress("reading", done, len(paths), path)
            self._commit(comparison)

    def _add(self, comparison: Comparison, prepared: Prepared, path: str, known: Known) -> None:
        if isinstance(prepared, Skipped):
            comparison.skipped(prepared)
            # The walk counted it as a file to index.
            self.files_total -= self._walking
        elif isinstance(prepared, UnchangedFile):
            self._touched[path] = (prepared.size, prepared.mtime_ns)
        else:
            batch = comparison.found.batch
            batch.unskipped += [path] if path in known.notes else []
            batch.prepared_files.append(prepared)

    def _commit(self, comparison: Comparison) -> None:
        """Commit the batch that was found and queue missing vectors; the comparison gets an empty batch."""
        self._touched_notes.update(comparison.found.touched)
        batch, comparison.found.batch = comparison.found.batch, Batch()
        if not batch:
            return
        if batch.removed:
            # A folder that disappeared during the walk looks like one whose files were all deleted.
            self._check_root()
        coverage = IndexCoverage("indexing", self.files_total) if self._walking else None
        self.index.commit(batch, coverage, self.flush)
        if not self._yields:
            # Keyword search finds the files now; the vectors can wait until no search is running.
            self._context.gate.yield_to_foreground(self._context.stop)
        self.index.vectors.enqueue(batch.texts())
        if queue := self.index.vectors.queue:
            queue.collect_many()

    def _drain(self, queue: EmbeddingQueue) -> None:
        """Store all vectors that are being computed."""
        while queue.busy:
            self._check()
            queue.rest()
            queue.collect(block=False)
            # The vectors of a save are ready by now, so they need no progress report.
            if queue.busy:
                self._embedding_progress()

    def _embed_missing(self, queue: EmbeddingQueue, left: set[int]) -> None:
        files = self._catalog.files()
        with closing(self._parser_pool()) as parsers:
            all_prepared = parsers.prepare_all([FileRequest(path) for path in files])
            for file, prepared in zip(files.values(), all_prepared, strict=True):
                self._check()
                if isinstance(prepared, PreparedFile) and prepared.draft.digest == file.digest:
                    queue.enqueue({key: text for key, text in prepared.texts.items() if key in left})
                queue.collect(block=False)
                self._embedding_progress()

    def _check(self) -> None:
        """Yield to searches, then raise Cancelled if a stop was requested."""
        if self._yields:
            self._context.gate.wait(self._context.stop)
        if self._context.stop.is_set():
            raise Cancelled("Indexing was stopped.")

    def _check_root(self) -> None:
        if not self._context.root.is_dir():
            raise IndexUnavailable(
                f"{self._context.root} does not exist; its index is kept until the folder is back."
            )

    def _parser_pool(self) -> ParserPool:
        chosen = self.index.settings.indexing
        options = ReadOptions(self._context.root, chosen.max_file_bytes, dict(chosen.languages))
        # A user who allows only part of one core does not want several processes.
        alone = self._context.gate.cpu_percent < 100
        return ParserPool(options, alone=alone, loading=self.index.vectors.loaded(block=False) is None)

    def _needs_walk(self, path: str) -> bool:
        """Whether an event at this path can affect more than this one file."""
        full = self._context.root / path
        # Not the methods of Path: they raise if there is no permission to enter the folder.
        if is_ignore_file(path) or os.path.islink(full) or os.path.isdir(full):
            return True
        exists, known = os.path.exists(full), self._catalog.file(path) is not None
        if exists != known and is_evidence(full.name):
            return True
        return not exists and bool(self._catalog.paths_below(path))

    def _relative(self, path: Path) -> str | None:
        root = self._context.root
        try:
            return stored_case(root, path.relative_to(root).as_posix())
        except ValueError:
            return None

    def _open_files(self) -> set[str]:
        """The files that an editor has open, relative to the folder."""
        return {path for path in map(self._relative, self._context.gate.open_files) if path}

    def _embedding_progress(self) -> None:
        memory = self.index.memory
        self._progress("embedding", memory.embedded(), memory.live)

    def _progress(self, phase: Phase, done: int, total: int, current: str = "") -> None:
        where = current.rpartition("/")[0]
        self._context.emit(IndexProgress(str(self._context.root), done, total, phase, where))


def _request(path: str, known: FileState | None) -> FileRequest:
    return FileRequest(path, known.digest if known else None)
