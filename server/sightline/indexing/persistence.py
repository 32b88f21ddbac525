"""Vectors in Chroma: a copy written behind, or where to retrieve from when they are too many for memory."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_hexdigest

from sightline.settings import Settings
from sightline.stores.approximate import Approximate
from sightline.stores.behind import Behind
from sightline.stores.catalog import Catalog
from sightline.stores.image import Image
from sightline.stores.space import Space
from sightline.stores.vectors import Matrix

_FOLDER = "chroma"
# The newest chunk that the copy has, kept in the catalog.
_MARK = "chroma"
# So many new chunks are worth starting Chroma for; the copy of fewer waits, nobody reads it meanwhile.
_WORTH_WRITING = 500
_SYNC_SECONDS = 600.0
_CLOSE_SECONDS = 1.0


class _Source:
    """The catalog's vectors of one model, as Chroma's writer asks for them."""

    def __init__(self, catalog: Catalog, model: str, dim: int) -> None:
        self._catalog = catalog
        self._model = model
        self._dim = dim

    def keys(self) -> set[int]:
        """The keys of the chunks that have a vector."""
        return self._catalog.embedded_keys(self._model)

    def fetch(self, keys: Sequence[int]) -> tuple[Sequence[int], NDArray[np.float32]]:
        """The vectors of those keys that exist, and the keys they belong to."""
        found = self._catalog.vectors_of(self._model, keys)
        vectors = np.frombuffer(b"".join(found.values()), np.float16).reshape(len(found), self._dim)
        return list(found), vectors.astype(np.float32)


class Persistence:
    """Decides where vectors are searched, and keeps Chroma's copy of them."""

    def __init__(
        self, root: Path, directory: Path, settings: Settings, tell: Callable[[str, str], None]
    ) -> None:
        self._root = root
        self._directory = directory
        self._settings = settings
        self._tell = tell
        self._behind: Behind | None = None
        self._copier: Behind | None = None
        self._copying: threading.Thread | None = None

    def space(self, image: Image, model: str, dim: int) -> Space:
        """An empty space for a model: exact in memory, or through Chroma above the limit or with a server."""
        self.close()
        if not self._settings.store.url and image.live <= self._settings.search.exact_limit:
            return Space(model, dim, Matrix(dim), Matrix(dim))
        self._behind = behind = self._writer(image.catalog, model, dim)
        behind.start()
        source = _Source(image.catalog, model, dim)
        chunks = Approximate(dim, lambda: image.rows["key"], source.fetch, behind)
        return Space(model, dim, chunks, Matrix(dim))

    def outgrown(self, image: Image) -> bool:
        """Whether the vectors have become too many for memory since the space was made."""
        return self._behind is None and image.live > self._settings.search.exact_limit

    def added(self, image: Image, keys: Sequence[int]) -> None:
        """Vectors were made; those of whole files stay in memory and are nothing for Chroma."""
        if self._behind:
            self._behind.want(add=image.keys_in_use(keys))

    def removed(self, keys: set[int]) -> None:
        """Vectors are no longer needed."""
        if self._behind:
            self._behind.want(remove=keys)

    def copy_when_due(self, image: Image) -> None:
        """Write Chroma's copy in the background if enough came in since the last time."""
        space = image.space
        if self._behind or space is None or not self._settings.store.persist_vectors:
            return
        if self._copying and self._copying.is_alive():
            return
        newest, mark = image.catalog.newest_chunk(), int(image.catalog.meta(_MARK) or 0)
        if newest - mark < _WORTH_WRITING and mark:
            return
        arguments = (image.catalog, space, newest)
        self._copying = threading.Thread(
            target=self._copy, args=arguments, name="sightline-copy", daemon=True
        )
        self._copying.start()

    def close(self) -> None:
        """Let go of Chroma; a copy half written is found so at the next start."""
        for writer in (self._behind, self._copier):
            if writer:
                writer.close(timeout=_CLOSE_SECONDS)
        self._behind = None

    def _copy(self, catalog: Catalog, space: Space, newest: int) -> None:
        self._copier = writer = self._writer(catalog, space.model, space.dim)
        writer.start()
        if writer.drain(_SYNC_SECONDS):
            catalog.set_meta(_MARK, str(newest))
        writer.close()

    def _writer(self, catalog: Catalog, model: str, dim: int) -> Behind:
        url = self._settings.store.url
        name = re.sub(r"[^A-Za-z0-9_-]", "_", self._root.name)[:40].strip("_-") or "root"
        collection = f"sightline-{name}-{xxh3_64_hexdigest(model.encode())}"
        place = url or self._directory / _FOLDER
        return Behind(
            place,
            collection,
            dim,
            _Source(catalog, model, dim),
            lambda notice: self._tell("warning", notice),
        )
