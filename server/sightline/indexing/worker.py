"""The one thread that writes a folder's index: takes jobs, survives faults, does chores when it is quiet."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sightline.embedding import Embedder, load_embedder
from sightline.errors import Cancelled, SightlineError
from sightline.indexing.draft import RECIPE
from sightline.indexing.gate import Gate
from sightline.indexing.jobs import Job, Jobs
from sightline.indexing.opening import Opened, drop_older_formats, open_index, set_aside
from sightline.indexing.persistence import Persistence
from sightline.indexing.progress import IndexProgress
from sightline.indexing.updater import Updater
from sightline.indexing.vectoriser import Vectoriser
from sightline.location import cache_dir
from sightline.settings import Settings
from sightline.stores.catalog import Catalog
from sightline.stores.following import follow
from sightline.stores.loading import load_image, save_snapshot
from sightline.stores.schema import CatalogDamaged, means_damage
from sightline.stores.space import Space

log = logging.getLogger(__name__)

# Quiet time after which snapshots are written; saves come in bursts.
_IDLE_SECONDS = 2.0
# How often a second window looks for news and for a free lock.
_FOLLOW_SECONDS = 1.0
# The pause after a failure such as a full disk; it doubles up to the second value.
_RETRY_SECONDS = (1.0, 60.0)
# A snapshot is written again when so many chunks came in since, or this share of all; less is caught up.
_SNAPSHOT_ROWS = 2000
_SNAPSHOT_SHARE = 0.1
# Fewer dead rows than this are not worth building the image again.
_MIN_DEAD_ROWS = 20_000

_RECIPE = "recipe"
_STOPPED = "Indexing was stopped before its end; reindex to go on."


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
        self.opened: Opened | None = None
        self.vectors: Vectoriser | None = None
        self.updater: Updater | None = None
        self.persistence: Persistence | None = None
        self.error = ""
        self.complete = False
        self.ready = threading.Event()
        self.stop = threading.Event()
        self._gate = gate
        self._hooks = hooks
        self._pause = 0.0
        self._snapshot_rows = 0
        self._quiet_since = -1
        self._load: Callable[[], Embedder] | None = None
        self._told: set[str] = set()
        self._thread = threading.Thread(target=self._run, name=f"sightline-{root.name}", daemon=True)

    def start(self) -> None:
        """Open the index and bring it up to date."""
        self.jobs.add(reconcile=True)
        self._thread.start()

    def close(self, timeout: float) -> None:
        """Stop after the step in hand, and let go of the index."""
        self.jobs.close()
        self.stop.set()
        self._thread.join(timeout)

    def cancel(self) -> None:
        """Stop the work in hand where it is; what is stored stays."""
        if not self.jobs.idle:
            self.stop.set()

    def configure(self, old: Settings, settings: Settings) -> None:
        """Do what a change of settings asks for."""
        self.settings = settings
        if self.updater:
            self.updater.settings = settings
        if self.persistence:
            self.persistence.settings = settings
        if (old.embedding, old.store) != (settings.embedding, settings.store):
            self.jobs.add(reopen=True)
        if old.indexing.languages != settings.indexing.languages:
            self.jobs.add(everything=True)
        elif old.indexing != settings.indexing or old.search.exact_limit != settings.search.exact_limit:
            self.jobs.add(reconcile=True)

    def _run(self) -> None:
        while not self.jobs.closed:
            job = self.jobs.take(self._patience())
            if job is not None:
                self._attempt(job)
                self.jobs.done()
                self._hooks.status()
            elif not self.jobs.closed:
                self._attempt(None)
        self._shut()

    def _patience(self) -> float | None:
        """How long to wait for a job before looking after other things."""
        if self._pause:
            return self._pause
        if self.opened is None or not self.opened.writer:
            return _FOLLOW_SECONDS
        quiet = self._quiet_since == self.opened.image.generation
        return None if quiet and not (self.persistence and self.persistence.copying) else _IDLE_SECONDS

    def _attempt(self, job: Job | None) -> None:
        try:
            self._perform(job) if job else self._chores()
        except Cancelled:
            self._well()
            if not self.jobs.closed:
                self.stop.clear()
        except (CatalogDamaged, sqlite3.DatabaseError) as error:
            self._recover(error)
        except (OSError, SightlineError) as error:
            self._fail(str(error))
        except Exception as error:
            # The edge of the thread: whatever it is, the folder must go on answering.
            log.exception("indexing %s failed", self.root)
            self._fail(f"Indexing failed: {error!r}. The log has the details.")

    def _perform(self, job: Job) -> None:
        updater = self._open()
        if self.opened is None or self.vectors is None:
            return
        if updater is None:
            self._follow(self.opened)
            return
        if job.clear:
            self._start_over(self.opened)
            return
        if job.reopen:
            self._change_stores(self.opened)
        if job.everything or job.reconcile or job.reopen:
            self._reconcile(updater, self.opened.catalog, everything=job.everything)
        else:
            updater.update(job.paths)
        self._outgrow(self.opened)
        self._well()
        self._hooks.progress(IndexProgress(str(self.root), 1, 1, "embedding", finished=True))

    def _reconcile(self, updater: Updater, catalog: Catalog, *, everything: bool) -> None:
        self.complete = False
        outdated = catalog.meta(_RECIPE) != RECIPE
        updater.reconcile(everything=everything or outdated)
        if outdated:
            catalog.set_meta(_RECIPE, RECIPE)
        self.complete = True

    def _open(self) -> Updater | None:
        """The updater of the open index; None while another process is the writer."""
        if self.opened is None:
            # Half of loading a model is waiting for its files: it begins before the index is read.
            self._load = self._load or _begun(_loader(self.settings))
            self._adopt(open_index(self.root))
            self.ready.set()
            self._hooks.status()
            # What was embedded before answers before the folder is walked.
            if self.vectors and self.opened and self.opened.image.live:
                self.vectors.ready(block=True)
            if self.opened and self.opened.writer:
                self.opened.check()
        elif self.opened.writer and self.opened.replaced:
            raise CatalogDamaged("the catalog file was removed")
        return self.updater

    def _adopt(self, opened: Opened) -> None:
        self.opened = opened
        self._snapshot_rows = opened.image.rows.size
        self.persistence = Persistence(self.root, opened, self.settings, self._tell)
        load, self._load = self._load or _loader(self.settings), None
        self.vectors = Vectoriser(opened.image, load, self._new_space)
        self.vectors.on_made = self.persistence.added
        for note in opened.notes:
            self._tell("warning", note)
        if opened.writer:
            self._become_writer(opened)

    def _become_writer(self, opened: Opened) -> None:
        assert self.vectors is not None
        self.updater = Updater(
            self.root, self.settings, opened.image, self.vectors, self._gate, self.stop, self._hooks.progress
        )
        assert self.persistence is not None
        self.updater.on_removed = self.persistence.removed

    def _new_space(self, model: str, dim: int) -> Space:
        assert self.opened is not None
        assert self.persistence is not None
        return self.persistence.space(self.opened.image, model, dim)

    def _chores(self) -> None:
        """What is done when nobody wants anything."""
        if self.opened is not None and not self.opened.writer:
            self._follow(self.opened)
        elif self._pause or self.opened is None:
            self.jobs.add(reconcile=True)
        else:
            self._tidy(self.opened)
            self._quiet_since = self.opened.image.generation

    def _follow(self, opened: Opened) -> None:
        """Second in line: take over when the writer is gone, else read what it wrote."""
        assert self.vectors is not None
        if opened.lock.try_acquire():
            self._reopen(opened)
            self._become_writer(opened)
            self.jobs.add(reconcile=True)
        elif opened.replaced:
            self._reopen(opened)
        elif follow(opened.image):
            self.vectors.ready(block=True)
            self.vectors.refresh()
            self._hooks.status()
        before, self.complete = self.complete, not opened.image.waiting_keys()
        self._well()
        if self.complete != before:
            self._hooks.status()

    def _reopen(self, opened: Opened) -> None:
        """Begin again with what is in the catalog now: the image may lack what was written last."""
        assert self.vectors is not None
        opened.reopen()
        self.vectors.ready(block=True)
        self.vectors.move(opened.image)

    def _tidy(self, opened: Opened) -> None:
        assert self.updater is not None
        assert self.persistence is not None
        assert self.vectors is not None
        self.updater.flush()
        self.vectors.prune()
        if self.complete:
            drop_older_formats(opened.directory)
        self.persistence.copy_when_due(opened.image)
        self._outgrow(opened)
        image = opened.image
        if image.dead_rows() > max(_MIN_DEAD_ROWS, image.live):
            self._rebuild_image(opened)
        grown = image.rows.size - self._snapshot_rows
        if grown > max(_SNAPSHOT_ROWS, image.live * _SNAPSHOT_SHARE):
            self._save(opened)

    def _outgrow(self, opened: Opened) -> None:
        """Leave vectors that are too many for memory to Chroma, once it has them."""
        if self.vectors and self.persistence and self.persistence.outgrown(opened.image):
            self.vectors.refill()

    def _save(self, opened: Opened) -> None:
        save_snapshot(opened.image, opened.directory)
        self._snapshot_rows = opened.image.rows.size

    def _rebuild_image(self, opened: Opened) -> None:
        """Leave the dead rows behind; searches go on in the old image meanwhile."""
        assert self.vectors is not None
        opened.image = load_image(opened.catalog, None)
        self.vectors.move(opened.image)
        self._become_writer(opened)
        self._save(opened)

    def _change_stores(self, opened: Opened) -> None:
        assert self.vectors is not None
        if self.persistence:
            self.persistence.close()
        self.persistence = Persistence(self.root, opened, self.settings, self._tell)
        self.vectors.on_made = self.persistence.added
        self.vectors.change_model(_loader(self.settings))
        self._become_writer(opened)

    def _start_over(self, opened: Opened) -> None:
        """Throw everything away and begin with an empty index."""
        self._release(opened)
        shutil.rmtree(opened.directory, ignore_errors=True)
        self._adopt(open_index(self.root))
        self.complete = False

    def _recover(self, error: Exception) -> None:
        """A damaged catalog is set aside and built again; one that only cannot be used now is left alone."""
        if not means_damage(error) or self.opened is None or not self.opened.writer:
            self._fail(f"The index cannot be used now: {error}.")
            return
        log.warning("the catalog of %s is damaged: %s", self.root, error)
        opened, self.opened = self.opened, None
        self._release(opened)
        try:
            self._tell("warning", set_aside(opened.directory))
        except OSError as failure:
            self._fail(f"The damaged index cannot be moved away: {failure}.")
        self.jobs.add(reconcile=True)

    def _release(self, opened: Opened) -> None:
        # Whoever asks from now on finds the folder closed, not its database.
        if self.opened is opened:
            self.opened = None
        if self.vectors:
            self.vectors.close()
        if self.persistence:
            self.persistence.close()
        opened.close()

    def _fail(self, reason: str) -> None:
        """Remember what is wrong, say it once, and try again later."""
        first, longest = _RETRY_SECONDS
        self.error = reason
        self._pause = min(longest, 2 * self._pause) if self._pause else first
        self._tell("error", f"{self.root.name}: {reason}")
        self._hooks.status()

    def _well(self) -> None:
        self.error, self._pause = "" if self.complete else _STOPPED, 0.0
        lasting = self.vectors.error if self.vectors else ""
        note = f"{lasting} Searching by keyword meanwhile."
        # What is over may be told when it happens again; what lasts is told once.
        self._told &= {note}
        if lasting:
            self._tell("warning", note)

    def _tell(self, level: str, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._hooks.message(level, text)

    def _shut(self) -> None:
        if self.opened is None:
            return
        try:
            if self.updater and self.opened.image.rows.size != self._snapshot_rows:
                self.updater.flush()
                self._save(self.opened)
        except (OSError, sqlite3.Error) as error:
            log.warning("no snapshot at the end: %s", error)
        self._release(self.opened)


def _begun(load: Callable[[], Embedder]) -> Callable[[], Embedder]:
    """The same, already under way on a thread of its own."""
    pool = ThreadPoolExecutor(1, "sightline-load")
    loading = pool.submit(load)
    pool.shutdown(wait=False)
    return loading.result


def _loader(settings: Settings) -> Callable[[], Embedder]:
    chosen = settings.embedding
    return lambda: load_embedder(chosen.model, cache_dir() / "models", chosen.allow_download)
