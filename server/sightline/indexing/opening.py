"""Opens the index of a folder: locates its files, waits while another process creates them, loads a model."""

from __future__ import annotations

import time

from sightline.embedding.model_registry import ModelRegistry
from sightline.embedding.sharing import shared_embedder
from sightline.errors import Cancelled, IndexUnavailable
from sightline.indexing.index_files import CatalogInMotion, IndexFiles, Stores, locate
from sightline.indexing.open_index import IndexContext, LoadModel, OpenIndex
from sightline.indexing.siblings import start_from_sibling
from sightline.settings.tree import Settings

# The retry interval for a catalog that another process is creating, and the time before an error is reported.
_RETRY_SECONDS = 0.1
UNREADABLE_SECONDS = 30.0


class IndexOpener:
    """Opens the index of one folder, as often as its worker needs it."""

    def __init__(self, context: IndexContext, models: ModelRegistry) -> None:
        self._context = context
        self._models = models

    def open(self, settings: Settings) -> tuple[OpenIndex, bool]:
        """The index, and whether it is a copy of a sibling's."""
        files = locate(self._context.root)
        copied = files.writer and self._copy_sibling(files)
        return self.open_stores(settings, files), copied

    def open_stores(self, settings: Settings, files: IndexFiles) -> OpenIndex:
        """The index in files that were located before; they are closed if that fails."""
        # Half of the time to load a model is waiting for its files: start loading before the index is read.
        load = self.load_model(settings, files)
        try:
            index = OpenIndex(self._context, settings, files, self._load(files), load)
        except BaseException:
            # Otherwise the next attempt, from this same process, would find the index in use.
            files.close()
            raise
        self.report_notes(files)
        return index

    def load_model(self, settings: Settings, files: IndexFiles) -> LoadModel:
        """Start loading the model of the settings; a follower uses the writer's if the writer answers."""
        chosen = settings.embedding
        if files.writer:
            return self._models.load(chosen.model, chosen.allow_download)
        return lambda: shared_embedder(
            files.socket, chosen.model, lambda: self._models.load(chosen.model, chosen.allow_download)()
        )

    def report_notes(self, files: IndexFiles) -> None:
        """Report what the user should know about how the files were opened."""
        for note in files.notes:
            self._context.notify("warning", note)

    def _copy_sibling(self, files: IndexFiles) -> bool:
        """Copy the index of a sibling as a start; whether there was one."""
        try:
            return start_from_sibling(self._context.root, files.catalog)
        except BaseException:
            # As above: the lock of these files must not outlive a failed attempt.
            files.close()
            raise

    def _load(self, files: IndexFiles) -> Stores:
        """Load the stores; wait while another process is creating them."""
        deadline = time.monotonic() + UNREADABLE_SECONDS
        while True:
            try:
                return files.load()
            except CatalogInMotion as error:
                if time.monotonic() > deadline:
                    raise IndexUnavailable(unreadable_message(files, error)) from error
            if self._context.stop.wait(_RETRY_SECONDS):
                raise Cancelled("Opening was stopped.")
            files.lock.try_acquire()


def writer_name(files: IndexFiles) -> str:
    """The process that writes an index, for messages."""
    holder = files.lock.holder()
    return f"Process {holder}" if holder else "Another process"


def unreadable_message(files: IndexFiles, error: Exception) -> str:
    """The message for an index that another process writes and that cannot be read here."""
    return (
        f"{writer_name(files)} writes this index, and it cannot be read here ({error});"
        " close that window or clear the index there."
    )
