"""One folder of a workspace: its index as others see it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sightline.embedding import Vector
from sightline.embedding.reranker import Reranker
from sightline.indexing.content import Content, digest_of, read
from sightline.indexing.draft import language_of
from sightline.indexing.gate import Gate
from sightline.indexing.worker import Hooks, Worker
from sightline.languages.table import Language
from sightline.location import cache_dir, disk_bytes
from sightline.search.engine import Searcher
from sightline.search.related import Related
from sightline.search.symbols import SymbolFinder
from sightline.settings import Settings
from sightline.stores.image import Image
from sightline.types import PARSE_STATUSES, FolderState, FolderStatus, Source


@dataclass(frozen=True, slots=True)
class Finders:
    """What searches one image under one set of settings."""

    image: Image
    settings: Settings
    searcher: Searcher
    related: Related
    symbols: SymbolFinder


class Folder:
    """The index of one root; methods return at once unless they say otherwise."""

    def __init__(self, root: Path, settings: Settings, gate: Gate, hooks: Hooks) -> None:
        self.root = root
        self.settings = settings
        self._worker = Worker(root, settings, gate, hooks)
        self._overlays = threading.local()
        self._finders: Finders | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Open the index and bring it up to date, in the background."""
        self._worker.start()

    def close(self, timeout: float = 5.0) -> None:
        """Stop after the step in hand, waiting at most so long."""
        self._worker.close(timeout)

    @property
    def image(self) -> Image | None:
        """The index in memory, once it is open."""
        return self._worker.opened.image if self._worker.opened else None

    def wait_open(self, timeout: float) -> Image | None:
        """The index in memory, waited for at most so long."""
        self._worker.ready.wait(timeout)
        return self.image

    def wait_idle(self, timeout: float | None = None) -> bool:
        """Wait until nothing is left to do; False if the time was up first."""
        return self._worker.jobs.wait_idle(timeout)

    def embed_query(self, text: str) -> Vector | None:
        """The vector of a query, or None while there is no model to make one."""
        return self._worker.vectors.query(text) if self._worker.vectors else None

    @contextmanager
    def overlaid(self, texts: Mapping[Path, str]) -> Iterator[None]:
        """While this is held, this thread sees these texts instead of what is on disk."""
        self._overlays.texts = texts
        try:
            yield
        finally:
            self._overlays.texts = {}

    def source(self, path: str) -> Source | None:
        """A file as the editor has it, else as it is on disk."""
        unsaved = getattr(self._overlays, "texts", {}).get(self.root / path)
        if unsaved is not None:
            return Source(unsaved, digest_of(unsaved))
        content = read(self.root, path, self.settings.indexing.max_file_bytes)
        return Source(content.text, content.digest) if isinstance(content, Content) else None

    def relative(self, path: Path) -> str:
        """A path as the index knows it."""
        return path.relative_to(self.root).as_posix()

    def language(self, path: str, text: str) -> Language:
        """What a file of the folder is written in."""
        return language_of(path, text, self.settings.indexing.languages)

    def finders(self) -> Finders | None:
        """What answers questions about the index as it is now; None before it is open."""
        image = self.image
        if image is None:
            return None
        with self._lock:
            made = self._finders
            if made is None or made.image is not image or made.settings != self.settings:
                made = self._finders = self._make_finders(image)
            return made

    def changed(self, paths: Iterable[Path]) -> None:
        """Something happened at these paths."""
        self._worker.jobs.add(paths)

    def reconcile(self) -> None:
        """Compare the whole folder with the index; goes on where `cancel` stopped."""
        self._worker.jobs.add(reconcile=True)

    def reindex(self) -> None:
        """Read every file again, whatever its time stamp says."""
        self._worker.jobs.add(everything=True)

    def clear(self) -> None:
        """Throw the index away; reindexing builds it again."""
        self._worker.jobs.add(clear=True)

    def cancel(self) -> None:
        """Stop indexing where it is."""
        self._worker.cancel()

    def configure(self, settings: Settings) -> None:
        """Take new settings; what they change about the index is done in the background."""
        old, self.settings = self.settings, settings
        self._worker.configure(old, settings)

    @property
    def state(self) -> FolderState:
        """How the index is, in one word."""
        worker = self._worker
        if worker.opened is None:
            return "failed" if worker.error else "opening"
        if not worker.jobs.idle:
            return "indexing"
        healthy = worker.complete and not worker.error and worker.vectors and not worker.vectors.error
        return "ready" if healthy else "degraded"

    @property
    def reason(self) -> str:
        """Why the index is not ready; empty if it is."""
        worker = self._worker
        return worker.error or (worker.vectors.error if worker.vectors else "")

    def progress(self) -> tuple[int, int]:
        """How many files are indexed, of how many."""
        image = self.image
        done = len(image.file_numbers()) if image else 0
        return done, max(done, self._worker.updater.files_total if self._worker.updater else 0)

    def status(self) -> FolderStatus:
        """The truth about the index, now."""
        done, total = self.progress()
        opened = self._worker.opened
        image = opened.image if opened else None
        parse: dict[str, int] = dict.fromkeys(PARSE_STATUSES, 0)
        return FolderStatus(
            root=str(self.root),
            state=self.state,
            files_indexed=done,
            files_total=total,
            chunks=image.live if image else 0,
            chunks_embedded=image.embedded() if image else 0,
            generation=image.generation if image else 0,
            model=image.space.model if image and image.space else "",
            parse=parse | image.catalog.tally("files", "parse") if image else parse,
            skipped=self._skipped(image),
            disk_bytes=disk_bytes(opened.directory) if opened else 0,
            writer=bool(opened and opened.writer),
            last_error=self.reason,
            notes=tuple(opened.notes) + _encoding_notes(image) if opened and image else (),
        )

    def _make_finders(self, image: Image) -> Finders:
        root, chosen = str(self.root), self.settings.search
        rerank = None
        if chosen.rerank_model:
            allowed = self.settings.embedding.allow_download
            rerank = Reranker(chosen.rerank_model, cache_dir() / "models", allowed)
        return Finders(
            image,
            self.settings,
            Searcher(image, self.embed_query, chosen, self.source, root, rerank),
            Related(image, self.embed_query, self.source, root),
            SymbolFinder(image, root),
        )

    def _skipped(self, image: Image | None) -> dict[str, int]:
        hidden = dict(self._worker.updater.hidden) if self._worker.updater else {}
        return hidden | (image.catalog.tally("skipped", "reason") if image else {})


def _encoding_notes(image: Image) -> tuple[str, ...]:
    odd = sum(count for note, count in image.catalog.tally("files", "note").items() if note)
    return (f"{odd} files are not UTF-8 and were read as latin-1.",) if odd else ()
