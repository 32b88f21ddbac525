"""Loads each model once per process and shares it between all folders that use it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from weakref import WeakValueDictionary

from sightline.embedding.embedder import Embedder
from sightline.embedding.load_model import load_embedder

_Key = tuple[str, bool]


class ModelRegistry:
    """Loads models in the background; a model that no folder uses any more is freed."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._lock = threading.Lock()
        self._loaded: WeakValueDictionary[_Key, Embedder] = WeakValueDictionary()
        self._loading: dict[_Key, Future[Embedder]] = {}

    def load(self, model: str, allow_download: bool) -> Callable[[], Embedder]:
        """Start loading a model unless it is already loading or loaded; the returned function waits for it.

        A model that could not be loaded is retried by the next call.
        """
        key = (model, allow_download)
        with self._lock:
            known = self._loaded.get(key)
            if known is not None:
                return lambda: known
            loading = self._loading.get(key)
            if loading is None:
                loading = self._loading[key] = Future()
                threading.Thread(
                    target=self._load, args=(key, loading), name="sightline-load", daemon=True
                ).start()
        return loading.result

    def _load(self, key: _Key, loading: Future[Embedder]) -> None:
        try:
            embedder = load_embedder(key[0], self._cache, key[1])
            with self._lock:
                self._loaded[key] = embedder
        except BaseException as error:
            # The error is raised for the callers that wait for the model.
            self._end(key)
            loading.set_exception(error)
        else:
            self._end(key)
            loading.set_result(embedder)

    def _end(self, key: _Key) -> None:
        with self._lock:
            del self._loading[key]
