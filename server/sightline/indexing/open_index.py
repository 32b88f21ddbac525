"""A folder's open index: catalog, memory and vectors together, written by this process or by another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sightline.embedding import Embedder
from sightline.indexing.gate import Gate
from sightline.indexing.opening import IndexFiles, Stores
from sightline.indexing.persistence import Persistence
from sightline.indexing.progress import IndexProgress
from sightline.indexing.updater import Updater
from sightline.indexing.vectoriser import Vectoriser
from sightline.settings import Settings
from sightline.stores.catalog import Catalog
from sightline.stores.compaction import compact
from sightline.stores.coverage import IndexCoverage, read_coverage
from sightline.stores.following import follow
from sightline.stores.identity import file_identity
from sightline.stores.image import Image
from sightline.stores.loading import load_image, save_snapshot
from sightline.stores.space import Space

# A snapshot is written again when so many chunks came in since, or this share of all; less is caught up.
_SNAPSHOT_ROWS = 2000
_SNAPSHOT_SHARE = 0.1
# Fewer dead rows than this are not worth building the image again.
_MIN_DEAD_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the index of a root works with and reports to."""

    root: Path
    gate: Gate
    stop: threading.Event
    report: Callable[[IndexProgress], None]
    tell: Callable[[str, str], None]


class OpenIndex:
    """Complete from the start; every method belongs to the folder's one worker thread."""

    def __init__(
        self,
        around: Surroundings,
        settings: Settings,
        files: IndexFiles,
        stores: Stores,
        load: Callable[[], Embedder],
    ) -> None:
        self.files = files
        self._around = around
        self._settings = settings
        self._stores = stores
        self._snapshot_rows = stores.image.rows.size
        self._persistence = Persistence(around.root, files, settings, around.tell)
        self.vectors = Vectoriser(stores.image, load, self._new_space)
        self.vectors.on_made = self._added
        self.updater = self._new_updater() if files.writer else None
        # Whether reading what another process wrote failed half-way.
        self.stale = False

    @property
    def image(self) -> Image:
        """The index in memory."""
        return self._stores.image

    @property
    def catalog(self) -> Catalog:
        """The index on disk."""
        return self._stores.catalog

    @property
    def replaced(self) -> bool:
        """Whether the catalog's file is gone, or another one is in its place: nobody will read this one."""
        return file_identity(self.files.catalog) != self._stores.identity

    @property
    def coverage(self) -> IndexCoverage:
        """How far the process that writes the index has come."""
        return read_coverage(self.catalog)

    @property
    def copying(self) -> bool:
        """Whether Chroma's copy of the vectors is being written."""
        return self._persistence.copying

    def configure(self, settings: Settings) -> None:
        """Take new settings; what they change about the stores is done by `change_stores`."""
        self._settings = self._persistence.settings = settings
        if self.updater:
            self.updater.settings = settings

    def change_stores(self, load: Callable[[], Embedder]) -> None:
        """Use the model and the store of the settings from now on."""
        self._persistence.close()
        self._persistence = Persistence(self._around.root, self.files, self._settings, self._around.tell)
        self.vectors.change_model(load)

    def follow(self) -> bool:
        """Read what another process wrote; whether there was anything."""
        if self.stale or self.replaced:
            self._reload()
        elif not follow(self.image):
            return False
        self.vectors.ready(block=True)
        self.vectors.refresh()
        return True

    def take_over(self) -> None:
        """The lock is ours: begin with what is in the catalog, as its writer."""
        self._reload()
        self.updater = self._new_updater()

    def rebuild(self) -> None:
        """Build the image again from the catalog; searches go on in the old one meanwhile."""
        self._exchange(Stores(self.catalog, load_image(self.catalog, None), self._stores.identity))
        self.save()

    def outgrow(self) -> None:
        """Leave vectors that are too many for memory to Chroma, once it has them."""
        if self._persistence.outgrown(self.image):
            self.vectors.refill()

    def tidy(self, updater: Updater) -> bool:
        """What is worth doing when nothing else is to be done; whether all of it is done."""
        updater.flush()
        self.vectors.prune()
        self._persistence.copy_when_due(self.image)
        self.outgrow()
        if self.image.dead_rows() > max(_MIN_DEAD_ROWS, self.image.live):
            self.rebuild()
        grown = self.image.rows.size - self._snapshot_rows
        if grown > max(_SNAPSHOT_ROWS, self.image.live * _SNAPSHOT_SHARE):
            self.save()
        return not compact(self.image)

    def save(self) -> None:
        """Write the snapshot that makes the next start quick."""
        save_snapshot(self.image, self.files.directory)
        self._snapshot_rows = self.image.rows.size

    def put_away(self) -> None:
        """Write down at the end what was not yet; OSError or sqlite3.Error if that is not possible."""
        if self.updater and self.image.rows.size != self._snapshot_rows:
            self.updater.flush()
            self.save()

    def close_stores(self) -> None:
        """Close the files; the lock stays as it is."""
        self.vectors.close()
        self._persistence.close()
        self.catalog.close()

    def _reload(self) -> None:
        self.vectors.ready(block=True)
        self._exchange(self.files.load())
        self.stale = False

    def _exchange(self, stores: Stores) -> None:
        """Answer from another image, once it has its vectors."""
        old, updater = self.catalog, self.updater
        self.vectors.move(stores.image)
        self._stores = stores
        if updater:
            updater.image = stores.image
        if stores.catalog is not old:
            old.close()

    def _new_updater(self) -> Updater:
        around = self._around
        updater = Updater(
            around.root, self._settings, self.image, self.vectors, around.gate, around.stop, around.report
        )
        updater.on_removed = self._removed
        return updater

    def _new_space(self, image: Image, model: str, dim: int) -> Space:
        return self._persistence.space(image, model, dim)

    def _added(self, image: Image, keys: Sequence[int]) -> None:
        self._persistence.added(image, keys)

    def _removed(self, keys: set[int]) -> None:
        self._persistence.removed(keys)
