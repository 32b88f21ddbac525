"""The one thread that writes a folder's index: takes jobs, survives faults, does chores when it is quiet."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sightline.embedding import Embedder, load_embedder
from sightline.errors import Cancelled, IndexUnavailable, SightlineError
from sightline.indexing.file_record import PARSER_VERSION
from sightline.indexing.gate import Gate
from sightline.indexing.index_files import CatalogInMotion, IndexFiles, Stores, drop_older_formats, locate
from sightline.indexing.index_progress import IndexProgress
from sightline.indexing.jobs import Job, Jobs
from sightline.indexing.open_index import IndexContext, OpenIndex
from sightline.indexing.updater import Updater
from sightline.location import cache_dir
from sightline.settings.tree import Settings
from sightline.stores.catalog.coverage import IndexCoverage, write_coverage
from sightline.stores.catalog.schema import CatalogDamaged, means_damage

log = logging.getLogger(__name__)

# Quiet time after which snapshots are written; saves come in bursts.
_IDLE_SECONDS = 2.0
# How often a second window looks for news and for a free lock.
_FOLLOW_SECONDS = 1.0
# How soon a catalog that another process is just making is looked at again, and for how long in silence.
_AGAIN_SECONDS = 0.1
_UNREADABLE_SECONDS = 30.0

_PARSER_VERSION = "recipe"
_STOPPED = "Indexing was stopped before its end; reindex to go on."
_CLEARED = "The index was cleared; reindex to build it again."
_REMOVED = "The index was removed while it was open and is built again."


@dataclass(frozen=True, slots=True)
class Hooks:
    """Whom a folder tells what; each is called from its worker thread."""

    status: Callable[[], None] = lambda: None
    message: Callable[[str, str], None] = lambda level, text: None
    progress: Callable[[IndexProgress], None] = lambda progress: None


class Worker:
    """Owns the open index of one folder; everything that writes happens on its thread."""

    def __init__(self, root: Path, settings: Settings, gate: Gate, hooks: Hooks) -> None:
        self.root = root
        self.settings = settings
        self.jobs = Jobs()
        self.index: OpenIndex | None = None
        self.coverage = IndexCoverage()
        self.error = ""
        self.ready = threading.Event()
        self._context = IndexContext(root, gate, self.jobs.stop, hooks.progress, self._notify)
        self._hooks = hooks
        self._quiet_since = -1
        self._readable_at = time.monotonic()
        self._reported: set[str] = set()
        self._thread = threading.Thread(target=self._run, name=f"sightline-{root.name}", daemon=True)

    @property
    def complete(self) -> bool:
        """Whether the last look at the whole folder came to its end, whichever process took it."""
        return self.coverage.walk == "complete"

    @property
    def notice(self) -> str:
        """What is worth knowing though nothing is wrong: another process is at work on the index."""
        index = self.index
        if index is None or index.files.writer or self.coverage.walk != "indexing":
            return ""
        return (
            f"{_process(index.files)} is indexing this folder; answers come from what it has stored so far."
        )

    def start(self) -> None:
        """Open the index and bring it up to date."""
        self.jobs.add(reconcile=True)
        self._thread.start()

    def close(self, timeout: float) -> None:
        """Stop after the step in hand, and let go of the index."""
        self.jobs.close()
        self._thread.join(timeout)

    def cancel(self) -> None:
        """Stop the work in hand where it is; what is stored stays."""
        self.jobs.cancel()

    def configure(self, old: Settings, settings: Settings) -> None:
        """Do what a change of settings asks for."""
        self.settings = settings
        if (old.embedding, old.store) != (settings.embedding, settings.store):
            self.jobs.add(reopen=True)
        if old.indexing.languages != settings.indexing.languages:
            self.jobs.add(force=True)
        elif old.indexing != settings.indexing or old.search.exact_limit != settings.search.exact_limit:
            self.jobs.add(reconcile=True)

    def _run(self) -> None:
        while not self.jobs.closed:
            job = self.jobs.take(self._poll_timeout())
            if not self.jobs.closed:
                self._attempt(job)
        self._shut_down()

    def _poll_timeout(self) -> float | None:
        """How long to wait for a job before looking after other things."""
        index = self.index
        if index is None or not index.files.writer:
            return _FOLLOW_SECONDS
        quiet = self._quiet_since == index.memory.generation
        return None if quiet and not index.copying else _IDLE_SECONDS

    def _attempt(self, job: Job | None) -> None:
        """Do a job, or what is done without one; what fails is owed."""
        try:
            self._perform(job) if job else self._idle_work()
        except Cancelled:
            self._stopped()
        except (CatalogDamaged, sqlite3.DatabaseError) as error:
            self._recover(error)
        except (OSError, SightlineError) as error:
            self._fail(str(error))
        except Exception as error:
            # The edge of the thread: whatever it is, the folder must go on answering.
            log.exception("indexing %s failed", self.root)
            self._fail(f"Indexing failed: {error!r}. The log has the details.")
        else:
            if job is None:
                return
            self.jobs.done()
            self._clear_error()
        # Idle only now: whoever waits for that is to find everything reported.
        self.jobs.end()
        self._hooks.status()

    def _stopped(self) -> None:
        """The user stopped a job: only a look at the whole folder makes the index complete again."""
        self.coverage = IndexCoverage("stopped", self.coverage.files)
        self.jobs.drop()
        self._clear_error()
        index = self.index
        if index and index.files.writer and not self.jobs.closed:
            # For other windows only, which can do without.
            with suppress(sqlite3.Error):
                write_coverage(index.catalog, self.coverage)

    def _perform(self, job: Job) -> None:
        index = self._open()
        # Settings reach the index here and nowhere else: a change while it was being opened counts too.
        index.configure(self.settings)
        updater = index.updater
        if updater is None:
            self._follow(index)
            return
        if job.clear:
            index = self._start_over(index)
        elif index.memory.generation != index.catalog.generation:
            # A failure came between storing a change and applying it: memory lacks what the catalog has.
            index.rebuild()
        if job.reopen:
            index.change_stores(_loader(self.settings))
        if index.updater:
            self._index(job, index, index.updater)
            index.move_to_chroma_when_due()
        self._hooks.progress(IndexProgress(str(self.root), 1, 1, "embedding", finished=True))

    def _index(self, job: Job, index: OpenIndex, updater: Updater) -> None:
        if not job.walks:
            if updater.update(job.paths):
                self.coverage = index.coverage
            return
        outdated = index.catalog.meta(_PARSER_VERSION) != PARSER_VERSION
        self.coverage = IndexCoverage("indexing", self.coverage.files)
        updater.reconcile(force=job.force or outdated)
        if outdated:
            index.catalog.set_meta(_PARSER_VERSION, PARSER_VERSION)
        self.coverage = index.coverage

    def _open(self) -> OpenIndex:
        """The open index, which another process may be the writer of."""
        index = self.index
        if index and index.files.writer and (index.files.lock.lost or index.replaced):
            self._close_index(index)
            self._notify("warning", _REMOVED)
            self.jobs.add(reconcile=True)
            index = None
        if index is None:
            # Half of loading a model is waiting for its files: it begins before the index is read.
            index = self._attach(locate(self.root), _preload(_loader(self.settings)))
            self.ready.set()
            self._hooks.status()
            # What was embedded before answers before the folder is walked.
            if index.memory.live:
                index.vectors.ready(block=True)
            if index.files.writer:
                index.files.check()
        return index

    def _attach(self, files: IndexFiles, load: Callable[[], Embedder]) -> OpenIndex:
        try:
            index = OpenIndex(self._context, self.settings, files, self._load(files), load)
        except BaseException:
            # Or the next attempt, from this very process, would find the index in use.
            files.close()
            raise
        self.index = index
        if not files.writer:
            self.coverage = index.coverage
        self._notify_notes(index)
        return index

    def _load(self, files: IndexFiles) -> Stores:
        """What is stored, waited for while another process is just making it."""
        deadline = time.monotonic() + _UNREADABLE_SECONDS
        while True:
            try:
                return files.load()
            except CatalogInMotion as error:
                if time.monotonic() > deadline:
                    raise IndexUnavailable(_unreadable(files, error)) from error
            if self.jobs.stop.wait(_AGAIN_SECONDS):
                raise Cancelled("Opening was stopped.")
            files.lock.try_acquire()

    def _idle_work(self) -> None:
        """What is done when nobody wants anything."""
        index = self.index
        if index and index.updater is None:
            self._follow(index)
        elif self.jobs.owed:
            # It has a time of its own.
            return
        elif index and index.updater:
            self._maintain(index, index.updater)
        else:
            self.jobs.add(reconcile=True)

    def _maintain(self, index: OpenIndex, updater: Updater) -> None:
        try:
            finished = index.maintain(updater)
            if self.complete:
                drop_older_formats(index.files.directory)
        except (OSError, sqlite3.OperationalError) as error:
            if means_damage(error):
                raise
            # Nothing is lost by it, so nobody is told; the next pause after a change tries again.
            log.warning("no room or right to tidy up the index of %s: %s", self.root, error)
            finished = True
        if finished:
            self._quiet_since = index.memory.generation

    def _follow(self, index: OpenIndex) -> None:
        """Second in line: take over when the writer is gone, else read what it wrote."""
        if index.files.lock.try_acquire():
            self._take_over(index)
            return
        before = self.coverage
        try:
            # Before reading what it wrote: so the index never lacks what is called complete.
            self.coverage = index.coverage
            changed = index.follow()
        except (CatalogInMotion, CatalogDamaged, sqlite3.Error, LookupError, ValueError, OSError) as error:
            self._unread(index, error)
            return
        self._readable_at = time.monotonic()
        self._clear_error()
        if changed or self.coverage != before:
            self._hooks.status()

    def _take_over(self, index: OpenIndex) -> None:
        try:
            index.take_over()
        except BaseException:
            # As before, so that the next attempt begins again.
            index.files.lock.release()
            raise
        self._notify_notes(index)
        self.jobs.add(reconcile=True)

    def _unread(self, index: OpenIndex, error: Exception) -> None:
        """The writer was faster than our reading, or is replacing the catalog: look again, from the start."""
        log.info("the catalog of %s could not be followed: %r", self.root, error)
        index.stale = True
        if time.monotonic() - self._readable_at > _UNREADABLE_SECONDS:
            self.error = _unreadable(index.files, error)
            self._notify("error", f"{self.root.name}: {self.error}")
            self._hooks.status()

    def _start_over(self, index: OpenIndex) -> OpenIndex:
        """Throw everything away and begin with an empty index; the lock is kept all the while."""
        self.index = None
        index.close_stores()
        try:
            index.files.delete()
        finally:
            # What could not be deleted goes on answering.
            left = self._attach(index.files, _loader(self.settings))
        self.coverage = IndexCoverage("cleared")
        write_coverage(left.catalog, self.coverage)
        return left

    def _recover(self, error: Exception) -> None:
        """A damaged catalog is set aside and built again; one that only cannot be used now is left alone."""
        index = self.index
        if not means_damage(error) or index is None or not index.files.writer:
            self._fail(f"The index cannot be used now: {error}.")
            return
        log.warning("the catalog of %s is damaged: %s", self.root, error)
        self.index = None
        index.close_stores()
        try:
            # What is in a folder that somebody replaced is not ours to move.
            if not index.files.lock.lost:
                index.files.set_aside()
        except OSError as failure:
            self._fail(f"The damaged index cannot be moved away: {failure}.")
        else:
            self.jobs.drop()
            self.jobs.add(reconcile=True)
            self._notify_notes(index)
        finally:
            index.files.close()

    def _close_index(self, index: OpenIndex) -> None:
        # Whoever asks from now on finds the folder closed, not its database.
        self.index = None
        index.close_stores()
        index.files.close()

    def _fail(self, reason: str) -> None:
        """Remember what is wrong, say it once, and try again later."""
        self.error = reason
        self.jobs.fail()
        self._notify("error", f"{self.root.name}: {reason}")

    def _clear_error(self) -> None:
        """Nothing is wrong any more, unless a job that failed is still owed."""
        if self.jobs.owed:
            return
        self.error = self._incomplete()
        lasting = self.index.vectors.error if self.index else ""
        note = f"{lasting} Searching by keyword meanwhile."
        # Report a recurring problem again; report an ongoing one once.
        self._reported &= {note}
        if lasting:
            self._notify("warning", note)

    def _incomplete(self) -> str:
        """Why the index lacks files and nobody is at work on them; empty if it does not."""
        if self.coverage.walk not in ("stopped", "cleared"):
            return ""
        own = _STOPPED if self.coverage.walk == "stopped" else _CLEARED
        if self.index is None or self.index.files.writer:
            return own
        return f"{own} {_process(self.index.files)} keeps the index: reindex there."

    def _notify_notes(self, index: OpenIndex) -> None:
        for note in index.files.notes:
            self._notify("warning", note)

    def _notify(self, level: str, text: str) -> None:
        if text not in self._reported:
            self._reported.add(text)
            self._hooks.message(level, text)

    def _shut_down(self) -> None:
        index = self.index
        if index is None:
            return
        try:
            index.write_back()
        except (OSError, sqlite3.Error) as error:
            log.warning("no snapshot at the end: %s", error)
        self._close_index(index)


def _process(files: IndexFiles) -> str:
    holder = files.lock.holder()
    return f"Process {holder}" if holder else "Another process"


def _unreadable(files: IndexFiles, error: Exception) -> str:
    return (
        f"{_process(files)} keeps this index, and it cannot be read here ({error});"
        " close that window or clear the index there."
    )


def _preload(load: Callable[[], Embedder]) -> Callable[[], Embedder]:
    """The same, already under way on a thread of its own."""
    pool = ThreadPoolExecutor(1, "sightline-load")
    loading = pool.submit(load)
    pool.shutdown(wait=False)
    return loading.result


def _loader(settings: Settings) -> Callable[[], Embedder]:
    chosen = settings.embedding
    return lambda: load_embedder(chosen.model, cache_dir() / "models", chosen.allow_download)
