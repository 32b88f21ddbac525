"""Making the index true: what differs between disk and catalog is read, cut, stored and embedded."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from sightline.errors import Cancelled, IndexUnavailable
from sightline.indexing.discovery.discover import DiscoveryRules, Found, Ignore, Skipped, is_ignore_file, scan
from sightline.indexing.discovery.noise_folders import is_evidence
from sightline.indexing.discovery.path_case import stored_case
from sightline.indexing.embedding_queue import EmbeddingQueue
from sightline.indexing.file_record import PreparedFile
from sightline.indexing.gate import Gate
from sightline.indexing.index_progress import IndexProgress, Phase
from sightline.indexing.parser_pool import ParserPool
from sightline.indexing.prepare import FileRequest, Prepared, ReadOptions, UnchangedFile
from sightline.settings.tree import Settings
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.coverage import IndexCoverage, write_coverage
from sightline.stores.catalog.records import FileChange, FileState, SkippedFile
from sightline.stores.memory.memory_index import MemoryIndex

# One transaction: enough to make its fixed cost small, little enough to be searchable soon.
_BATCH_FILES = 64
# Beyond this a walk over the folder is cheaper than asking the ignore rules for each path.
_MANY_PATHS = 500
# A save of so few files is somebody's wish too, and done in the time of a search: it lets nobody go first.
_FEW_PATHS = 8
# Hidden by a rule: only counted, because below a hidden folder nobody looks.
_BY_RULE = frozenset({"ignored", "noise", "excluded"})
# Told by reading the file, so its size and time say whether to read it again; other reasons cost nothing.
_BY_CONTENT = frozenset({"binary", "minified", "secret"})


@dataclass(frozen=True, slots=True)
class _Known:
    """What the catalog has of the paths in question: files, and notes about files that are left out."""

    files: Mapping[str, FileState]
    notes: Mapping[str, SkippedFile]


@dataclass(slots=True)
class _Batch:
    """What goes into the catalog in one step."""

    prepared_files: list[PreparedFile] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    unskipped: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.prepared_files or self.removed or self.skipped or self.unskipped)


class Updater:
    """The writing side of one folder's index; every method belongs to the folder's one worker thread."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        memory: MemoryIndex,
        vectors: EmbeddingQueue,
        gate: Gate,
        stop: threading.Event,
        report: Callable[[IndexProgress], None],
    ) -> None:
        self.root = root
        self.settings = settings
        self.memory = memory
        self.vectors = vectors
        self.files_total = len(memory.file_numbers())
        self.hidden: Mapping[str, int] = {}
        self.on_removed: Callable[[set[int]], None] = lambda keys: None
        self._gate = gate
        self._stop = stop
        self._report = report
        self._patient = True
        self._walking = False
        self._touched: dict[str, tuple[int, int]] = {}
        self._touched_notes: dict[str, SkippedFile] = {}

    @property
    def _catalog(self) -> Catalog:
        return self.memory.catalog

    def reconcile(self, *, force: bool = False) -> None:
        """Walk the folder and take in every difference; with `everything` also what looks unchanged."""
        self._check_root()
        self._patient = self._walking = True
        try:
            self._progress("scanning", 0, 0)
            known = _Known(self._catalog.files(), self._catalog.skipped())
            with closing(self._parser_pool()) as parsers:
                changed = self._walk(known, parsers, force=force)
                self._read_all(parsers, changed, known, force=force)
            self.files_total = self._catalog.count("files")
            self.finish_vectors()
        finally:
            self._walking = False
        write_coverage(self._catalog, IndexCoverage("complete", self.files_total))

    def _walk(self, known: _Known, parsers: ParserPool, *, force: bool) -> list[str]:
        """Store what the walk itself tells; the files that have to be read."""
        batch, changed = _Batch(), []
        seen, hidden = set[str](), Counter[str]()
        for item in scan(self.root, self._rules(), self._stop.is_set):
            if isinstance(item, Found):
                seen.add(item.path)
                if force or not self._unchanged(item, known):
                    changed.append(item.path)
                    parsers.expect(len(changed))
            elif item.reason in _BY_RULE:
                hidden[item.reason] += 1
            else:
                seen.add(item.path)
                self._note(batch, item, known)
        batch.removed += [path for path in known.files if path not in seen]
        batch.unskipped += [path for path in known.notes if path not in seen]
        self.hidden = hidden
        self.files_total = len(seen - known.notes.keys())
        self._store(batch)
        return changed

    def update(self, paths: Iterable[Path]) -> bool:
        """Take in what happened at some paths; whether that took a look at the whole folder."""
        self._check_root()
        relative = {path for path in map(self._relative, paths) if path}
        if len(relative) > _MANY_PATHS or any(map(self._needs_walk, relative)):
            self.reconcile()
            return True
        self._patient = len(relative) > _FEW_PATHS
        known = _Known(
            {path: file for path in relative if (file := self._catalog.file(path))},
            {path: note for path, note in self._catalog.skipped().items() if path in relative},
        )
        batch, readable = _Batch(), []
        ignore = Ignore(self.root, self._rules())
        for path in sorted(relative):
            reason = ignore.reason(path) if os.path.exists(self.root / path) else "ignored"
            if reason is None:
                readable.append(path)
            elif reason in _BY_RULE:
                batch.removed += [path] if path in known.files else []
                batch.unskipped += [path] if path in known.notes else []
            else:
                self._note(batch, Skipped(path, reason), known)
        self._store(batch)
        with closing(self._parser_pool()) as parsers:
            self._read_all(parsers, readable, known)
        self.files_total = self._catalog.count("files")
        self.finish_vectors()
        return False

    def finish_vectors(self) -> None:
        """Wait for the vectors under way, and make those an earlier run left out."""
        if not self.vectors.ready(block=True):
            return
        self._await_vectors()
        left = self.vectors.missing(self._wanted_keys())
        if left:
            self._embed_left_out(left)
            self._await_vectors()
        self.vectors.switch()

    def flush(self) -> None:
        """Write down time stamps of files whose bytes turned out to be the same."""
        for path, (size, mtime_ns) in self._touched.items():
            self._catalog.touch(path, size, mtime_ns)
        self._touched.clear()
        self._catalog.add_skipped(self._touched_notes.values())
        self._touched_notes.clear()

    def _await_vectors(self) -> None:
        while self.vectors.busy:
            self._check()
            self.vectors.rest()
            self.vectors.collect(block=False)
            # The vectors of a save are there by now: nobody has to hear of them.
            if self.vectors.busy:
                self._progress("embedding", self.memory.embedded(), self.memory.live)

    def _embed_left_out(self, left: set[int]) -> None:
        files = self._catalog.files()
        with closing(self._parser_pool()) as parsers:
            all_prepared = parsers.prepare_all([FileRequest(path) for path in files])
            for file, prepared in zip(files.values(), all_prepared, strict=True):
                self._check()
                if isinstance(prepared, PreparedFile) and prepared.draft.digest == file.digest:
                    self.vectors.enqueue({key: text for key, text in prepared.texts.items() if key in left})
                self.vectors.collect(block=False)
                self._progress("embedding", self.memory.embedded(), self.memory.live)

    def _check(self) -> None:
        """Stop here if asked to, after letting people go first."""
        if self._patient:
            self._gate.wait(self._stop)
        if self._stop.is_set():
            raise Cancelled("Indexing was stopped.")

    def _unchanged(self, item: Found, known: _Known) -> bool:
        file, note = known.files.get(item.path), known.notes.get(item.path)
        last = file or (note if note and note.reason in _BY_CONTENT else None)
        if last is None or (last.size, last.mtime_ns) != (item.size, item.mtime_ns):
            return False
        # Rights can be taken away without a trace in the time stamp.
        return os.access(f"{self.root}/{item.path}", os.R_OK)

    def _check_root(self) -> None:
        if not self.root.is_dir():
            raise IndexUnavailable(f"{self.root} is not there; its index is kept until it comes back.")

    def _wanted_keys(self) -> set[int]:
        return self.memory.all_keys() if self.vectors.shadow else self.memory.waiting_keys()

    def _read_all(self, parsers: ParserPool, paths: list[str], known: _Known, *, force: bool = False) -> None:
        batch = _Batch()
        wanted = [_wanted(path, None if force else known.files.get(path)) for path in paths]
        for done, (path, prepared) in enumerate(zip(paths, parsers.prepare_all(wanted), strict=True)):
            self._check()
            self._add(batch, prepared, path, known)
            if len(batch.prepared_files) + len(batch.skipped) >= _BATCH_FILES:
                batch = self._store(batch)
            if len(paths) > 1:
                self._progress("reading", done, len(paths), path)
        self._store(batch)

    def _parser_pool(self) -> ParserPool:
        chosen = self.settings.indexing
        read_options = ReadOptions(self.root, chosen.max_file_bytes, dict(chosen.languages))
        # Whoever gives us a part of one core does not mean several whole ones.
        alone = self._gate.cpu_percent < 100
        return ParserPool(read_options, alone=alone, loading=not self.vectors.ready(block=False))

    def _add(self, batch: _Batch, prepared: Prepared, path: str, known: _Known) -> None:
        if isinstance(prepared, Skipped):
            self._note(batch, prepared, known)
        elif isinstance(prepared, UnchangedFile):
            self._touched[path] = (prepared.size, prepared.mtime_ns)
        else:
            batch.unskipped += [path] if path in known.notes else []
            batch.prepared_files.append(prepared)

    def _note(self, batch: _Batch, item: Skipped, known: _Known) -> None:
        if item.path in known.files:
            batch.removed.append(item.path)
        size, mtime_ns = _stat(self.root / item.path) if item.reason in _BY_CONTENT else (0, 0)
        note, old = SkippedFile(item.path, item.reason, size, mtime_ns), known.notes.get(item.path)
        if old is None or old.reason != note.reason:
            batch.skipped.append(note)
        elif old != note:
            self._touched_notes[item.path] = note

    def _store(self, batch: _Batch) -> _Batch:
        """One transaction for a batch, then the same for the memory index; an empty one to go on with."""
        if not batch:
            return batch
        if batch.removed:
            # A folder that went away during the walk looks like one whose files were all deleted.
            self._check_root()
        with self._catalog.writing():
            self.flush()
            changes = list(self._changes(batch))
            self._catalog.drop_skipped(batch.unskipped)
            self._catalog.add_skipped(batch.skipped)
            if self._walking:
                write_coverage(self._catalog, IndexCoverage("indexing", self.files_total))
        self.memory.apply(changes, self._catalog.generation)
        self._forget(changes)
        if not self._patient:
            # The words are there to be found; the vectors may follow when nobody waits.
            self._gate.yield_to_foreground(self._stop)
        self.vectors.enqueue(
            {key: text for prepared in batch.prepared_files for key, text in prepared.texts.items()}
        )
        self.vectors.collect(block=False)
        return _Batch()

    def _changes(self, batch: _Batch) -> Iterator[FileChange]:
        for path in batch.removed:
            change = self._catalog.remove(path)
            if change:
                yield change
        for prepared in batch.prepared_files:
            yield self._catalog.store(prepared.draft)

    def _forget(self, changes: Iterable[FileChange]) -> None:
        gone = {chunk.embed_key for change in changes for chunk in change.removed}
        unused = gone - self.memory.keys_in_use(gone)
        if unused:
            self.on_removed(unused)

    def _needs_walk(self, path: str) -> bool:
        """Whether an event at this path can concern more than this one file."""
        full = self.root / path
        # Not the methods of Path: they raise where a folder may not be entered.
        if is_ignore_file(path) or os.path.islink(full) or os.path.isdir(full):
            return True
        exists, known = os.path.exists(full), self._catalog.file(path) is not None
        if exists != known and is_evidence(full.name):
            return True
        return not exists and bool(self._catalog.paths_below(path))

    def _relative(self, path: Path) -> str | None:
        try:
            return stored_case(self.root, path.relative_to(self.root).as_posix())
        except ValueError:
            return None

    def _rules(self) -> DiscoveryRules:
        chosen = self.settings.indexing
        return DiscoveryRules(chosen.include, chosen.exclude, chosen.max_file_bytes, chosen.use_gitignore)

    def _progress(self, phase: Phase, done: int, total: int, current: str = "") -> None:
        self._report(IndexProgress(str(self.root), done, total, phase, current.rpartition("/")[0]))


def _wanted(path: str, known: FileState | None) -> FileRequest:
    return FileRequest(path, known.digest if known else None)


def _stat(path: Path) -> tuple[int, int]:
    try:
        stat = path.lstat()
    except OSError:
        return 0, 0
    return stat.st_size, stat.st_mtime_ns
