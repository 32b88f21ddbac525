"""The one thread that writes a folder's index: runs jobs, survives faults, maintains the index when idle."""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from sightline.embedding.model_registry import ModelRegistry
from sightline.errors import Cancelled, SightlineError
from sightline.indexing.events import IndexProgress, Level, Listener, Message, StatusChanged
from sightline.indexing.file_record import PARSER_VERSION
from sightline.indexing.follower import Follower
from sightline.indexing.gate import Gate
from sightline.indexing.index_files import CatalogInMotion, drop_older_formats
from sightline.indexing.jobs import Job, Jobs
from sightline.indexing.maintenance import finish, maintain
from sightline.indexing.open_index import IndexContext, OpenIndex
from sightline.indexing.opening import UNREADABLE_SECONDS, IndexOpener, unreadable_message, writer_name
from sightline.indexing.siblings import note_repository
from sightline.indexing.updater import Updater
from sightline.settings.tree import Settings
from sightline.stores.catalog.coverage import IndexCoverage, write_coverage
from sightline.stores.catalog.schema import CatalogDamaged, means_damage

log = logging.getLogger(__name__)

# Quiet time after which snapshots are written; saves come in bursts.
_IDLE_SECONDS = 2.0
# How often a follower checks for changes and for a free lock.
_FOLLOW_SECONDS = 1.0

# The key of the parser version in the catalog.
_PARSER_VERSION_KEY = "parser_version"
_STOPPED = "Indexing was stopped before it was complete; reindex to continue."
_CLEARED = "The index was cleared; reindex to rebuild it."
_REMOVED = "The index was removed while it was open and is being rebuilt."


class Worker:
    """Owns the open index of one folder; all writes happen on its thread.

    The process that holds the lock is the updater of the index; any other process is a follower.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        gate: Gate,
        models: ModelRegistry,
        emit: Listener,
        rehearse: Callable[[], None],
    ) -> None:
        self.root = root
        self.jobs = Jobs()
        self.coverage = IndexCoverage()
        self.error = ""
        self.ready = threading.Event()
        self._settings = settings
        self._context = IndexContext(root, gate, self.jobs.stop, emit, self._notify)
        self._opener = IndexOpener(self._context, models)
        self._rehearse = rehearse
        self._role: Updater | Follower | None = None
        self._quiet_since = -1
        self._readable_at = time.monotonic()
        self._reported: set[str] = set()
        self._thread = threading.Thread(target=self._run, name=f"sightline-{root.name}", daemon=True)

    @property
    def index(self) -> OpenIndex | None:
        """The open index; None before it is opened and while it is being replaced."""
        role = self._role
        return role.index if role else None

    @property
    def files_total(self) -> int:
        """The number of files in the folder that the writer has found so far."""
        role = self._role
        return role.files_total if isinstance(role, Updater) else self.coverage.files

    @property
    def hidden(self) -> Mapping[str, int]:
        """The number of hidden files and folders by kind of rule; only the writer knows."""
        role = self._role
        return role.hidden if isinstance(role, Updater) else {}

    @property
    def complete(self) -> bool:
        """Whether the last walk over the whole folder was completed, by whichever process."""
        return self.coverage.walk == "complete"

    @property
    def notice(self) -> str:
        """A notice for the user that is not an error: another process is indexing the folder."""
        index = self.index
        if index is None or index.files.writer or self.coverage.walk != "indexing":
            return ""
        return (
            f"{writer_name(index.files)} is indexing this folder;"
            " answers come from what it has stored so far."
        )

    def start(self) -> None:
        """Open the index and bring it up to date."""
        self.jobs.add(reconcile=True)
        self._thread.start()

    def close(self, timeout: float) -> None:
        """Stop after the current step, and release the index."""
        self.jobs.close()
        self._thread.join(timeout)

    def cancel(self) -> None:
        """Stop the current job immediately; what is already stored stays."""
        self.jobs.cancel()

    def check(self) -> None:
        """Check the index on disk, because a request could not read it; a damaged one is rebuilt."""
        self.jobs.add(check=True)

    def configure(self, old: Settings, new: Settings) -> None:
        """Add the job that a change of settings requires."""
        reopen = (old.embedding, old.store) != (new.embedding, new.store)
        force = old.indexing.languages != new.indexing.languages
        walk = old.indexing != new.indexing or old.search.exact_limit != new.search.exact_limit
        self.jobs.add(settings=new, reopen=reopen, force=force, reconcile=walk)

    def _run(self) -> None:
        while not self.jobs.closed:
            job = self.jobs.take(self._poll_timeout())
            if not self.jobs.closed:
                self._attempt(job)
        self._shut_down()

    def _poll_timeout(self) -> float | None:
        """How long to wait for a job before doing idle work."""
        role = self._role
        if not isinstance(role, Updater):
            return _FOLLOW_SECONDS
        quiet = self._quiet_since == role.index.memory.generation
        return None if quiet and not role.index.backend.copying else _IDLE_SECONDS

    def _attempt(self, job: Job | None) -> None:
        """Run a job, or the idle work if there is none; a failed job is retried later."""
        try:
            self._perform(job) if job else self._idle_work()
        except Cancelled:
            self._mark_stopped()
        except (CatalogDamaged, sqlite3.DatabaseError) as error:
            self._recover(error)
        except (OSError, SightlineError) as error:
            self._fail(str(error))
        except Exception as error:
            # The top of the thread: whatever the error is, the folder must keep answering.
            log.exception("indexing %s failed", self.root)
            self._fail(f"Indexing failed: {error!r}. The log has the details.")
        else:
            if job is None:
                return
            self.jobs.done()
            self._clear_error()
        # Become idle only now: a caller that waits for idle must find everything reported.
        self.jobs.end()
        self._context.emit(StatusChanged())

    def _mark_stopped(self) -> None:
        """Handle a stop by the user: only a walk over the whole folder makes the index complete again."""
        self.coverage = IndexCoverage("stopped", self.coverage.files)
        self.jobs.drop()
        self._clear_error()
        index = self.index
        if index and index.files.writer and not self.jobs.closed:
            # Only other windows read this, and they work without it.
            with suppress(sqlite3.Error):
                write_coverage(index.catalog, self.coverage)

    def _perform(self, job: Job) -> None:
        self._settings = job.settings or self._settings
        role = self._open()
        # Apply the settings here, not when they arrived: the index may have been opened since then.
        role.index.configure(self._settings)
        if isinstance(role, Follower):
            if job.check:
                role.index.request_check()
            self._follow(role)
            return
        if job.check:
            role.index.files.check()
        if job.clear:
            role = self._start_over(role)
        elif role.index.differs:
            role.index.rebuild()
        else:
            # Now that the snapshot is known to be intact, and before a walk that may take long.
            self._rehearse()
        if job.reopen:
            role.index.change_stores(self._opener.load_model(self._settings, role.index.files))
        self._index(job, role)
        role.index.use_chroma_when_due()
        self._context.emit(IndexProgress(str(self.root), 1, 1, "embedding", finished=True))

    def _index(self, job: Job, updater: Updater) -> None:
        catalog = updater.index.catalog
        if not job.walks:
            if job.paths and updater.update(job.paths):
                self.coverage = updater.index.coverage
            return
        parser_key = _parser_key(self._settings)
        outdated = catalog.meta(_PARSER_VERSION_KEY) != parser_key
        self.coverage = IndexCoverage("indexing", self.coverage.files)
        updater.reconcile(force=job.force or outdated)
        if outdated:
            catalog.set_meta(_PARSER_VERSION_KEY, parser_key)
        note_repository(catalog, self.root)
        self.coverage = updater.index.coverage

    def _open(self) -> Updater | Follower:
        """Open the index if it is not open; its updater or its follower."""
        role = self._role
        if isinstance(role, Updater) and (role.index.files.lock.lost or role.index.replaced):
            self._close_index(role.index)
            self._notify("warning", _REMOVED)
            self.jobs.add(reconcile=True)
            role = None
        if role is None:
            index, copied = self._opener.open(self._settings)
            role = self._attach(index)
            self.ready.set()
            self._context.emit(StatusChanged())
            # Chunks that are already embedded can be searched before the folder is walked.
            if role.index.memory.live:
                role.index.vectors.loaded(block=True)
            # A copy was checked when it was made.
            if isinstance(role, Updater) and not copied:
                role.index.files.check()
        return role

    def _attach(self, index: OpenIndex) -> Updater | Follower:
        """Attach an index that was just opened, as its updater if this process holds the lock."""
        if index.files.writer:
            return self._become_writer(index)
        self._role = follower = Follower(index)
        self.coverage = index.coverage
        return follower

    def _become_writer(self, index: OpenIndex) -> Updater:
        """Make this process the writer of an index."""
        self._role = updater = Updater(self._context, index)
        index.serve_processes(self.check)
        return updater

    def _idle_work(self) -> None:
        """The work that is done when there is no job."""
        role = self._role
        if isinstance(role, Follower):
            self._follow(role)
        elif self.jobs.retry_pending:
            # The failed job is retried at its own time.
            return
        elif role is not None:
            self._maintain(role)
        else:
            self.jobs.add(reconcile=True)

    def _maintain(self, updater: Updater) -> None:
        index = updater.index
        try:
            finished = maintain(updater)
            if self.complete:
                drop_older_formats(index.files.directory)
        except (OSError, sqlite3.OperationalError) as error:
            if means_damage(error):
                raise
            # Nothing is lost, so nothing is reported; the next idle time after a change retries.
            log.warning("no room or permission to maintain the index of %s: %s", self.root, error)
            finished = True
        if finished:
            self._quiet_since = index.memory.generation

    def _follow(self, follower: Follower) -> None:
        """Become the writer if the previous one is gone, else read what it wrote."""
        index = follower.index
        if index.files.lock.try_acquire():
            self._take_over(index)
            return
        before = self.coverage
        try:
            # Read the coverage before the changes, so that an index reported as complete never lacks a file.
            self.coverage = index.coverage
            changed = follower.follow()
        except (CatalogInMotion, CatalogDamaged, sqlite3.Error, LookupError, ValueError, OSError) as error:
            self._read_failed(follower, error)
            return
        self._readable_at = time.monotonic()
        self._clear_error()
        if changed or self.coverage != before:
            self._context.emit(StatusChanged())

    def _take_over(self, index: OpenIndex) -> None:
        """Become the writer after acquiring the lock, starting from what is in the catalog."""
        try:
            index.reload()
        except BaseException:
            # Return to the previous state, so that the next attempt starts over.
            index.files.lock.release()
            raise
        self._become_writer(index)
        self._opener.report_notes(index.files)
        self.jobs.add(reconcile=True)

    def _read_failed(self, follower: Follower, error: Exception) -> None:
        """Reload everything next time: the writer outran this reader, or is replacing the catalog."""
        log.info("could not read changes from the catalog of %s: %r", self.root, error)
        follower.stale = True
        if time.monotonic() - self._readable_at > UNREADABLE_SECONDS:
            self.error = unreadable_message(follower.index.files, error)
            self._notify("error", f"{self.root.name}: {self.error}")
            self._context.emit(StatusChanged())

    def _start_over(self, updater: Updater) -> Updater:
        """Delete everything and start with an empty index; the lock is held throughout."""
        files = updater.index.files
        self._detach(updater.index)
        try:
            files.delete()
        finally:
            # If the files could not be deleted, they keep answering searches.
            new_updater = self._become_writer(self._opener.open_stores(self._settings, files))
        self.coverage = IndexCoverage("cleared")
        write_coverage(new_updater.index.catalog, self.coverage)
        return new_updater

    def _recover(self, error: Exception) -> None:
        """Set a damaged catalog aside and rebuild it; leave one alone that is only temporarily unusable."""
        index = self.index
        if not means_damage(error) or index is None or not index.files.writer:
            self._fail(f"The index cannot be used now: {error}.")
            return
        log.warning("the catalog of %s is damaged: %s", self.root, error)
        self._detach(index)
        try:
            # Do not move files in a folder that was replaced from outside: this process does not own them.
            if not index.files.lock.lost:
                index.files.set_aside()
        except OSError as failure:
            self._fail(f"The damaged index cannot be moved away: {failure}.")
        else:
            self.jobs.drop()
            self.jobs.add(reconcile=True)
            self._opener.report_notes(index.files)
        finally:
            index.files.close()

    def _detach(self, index: OpenIndex) -> None:
        """Close an index but keep its lock; later searches see a closed folder, not a closed database."""
        self._role = None
        index.close_stores()

    def _close_index(self, index: OpenIndex) -> None:
        self._detach(index)
        index.files.close()

    def _fail(self, reason: str) -> None:
        """Record the error, report it once, and retry later."""
        self.error = reason
        self.jobs.fail()
        self._notify("error", f"{self.root.name}: {reason}")

    def _clear_error(self) -> None:
        """Clear the error, unless a failed job still has to be retried."""
        if self.jobs.retry_pending:
            return
        self.error = self._incomplete()
        index = self.index
        lasting = index.vectors.error if index else ""
        note = f"{lasting} Search uses keywords only."
        # Report a recurring problem again; report an ongoing one once.
        self._reported &= {note}
        if lasting:
            self._notify("warning", note)

    def _incomplete(self) -> str:
        """Why the index is incomplete and no process is completing it; empty if it is complete."""
        if self.coverage.walk not in ("stopped", "cleared"):
            return ""
        own = _STOPPED if self.coverage.walk == "stopped" else _CLEARED
        index = self.index
        if index is None or index.files.writer:
            return own
        return f"{own} {writer_name(index.files)} writes the index: reindex there."

    def _notify(self, level: Level, text: str) -> None:
        if text not in self._reported:
            self._reported.add(text)
            self._context.emit(Message(level, text))

    def _shut_down(self) -> None:
        role = self._role
        if role is None:
            return
        try:
            if isinstance(role, Updater):
                finish(role)
        except (OSError, sqlite3.Error) as error:
            log.warning("cannot write the snapshot at shutdown: %s", error)
        self._close_index(role.index)


def _parser_key(settings: Settings) -> str:
    """What the result of parsing depends on besides the bytes of the file."""
    languages = sorted(settings.indexing.languages.items())
    return f"{PARSER_VERSION} {json.dumps(languages)}" if languages else PARSER_VERSION
