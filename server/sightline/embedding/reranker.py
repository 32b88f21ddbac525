"""Cross-encoders through fastembed, loaded in the background because a search must not wait for one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.embedding.model_folder import ONNX_FILES

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

_log = logging.getLogger(__name__)


class Reranker:
    """Scores texts against a query; gives no scores until its model is loaded, nor if that fails."""

    def __init__(self, model: str, cache_dir: Path | None = None, allow_download: bool = False) -> None:
        self._name = model
        self._cache = str(cache_dir) if cache_dir else None
        self._allow_download = allow_download
        self._model: TextCrossEncoder | None = None
        self._lock = threading.Lock()
        self._loading: threading.Thread | None = None

    def __call__(self, query: str, texts: Sequence[str]) -> list[float] | None:
        """One score per text, higher is better; None while there is no model."""
        if self._model is None:
            self._start()
            return None
        return [float(score) for score in self._model.rerank(query, list(texts))]

    def _start(self) -> None:
        with self._lock:
            if self._loading is None:
                self._loading = threading.Thread(target=self._load, name="reranker", daemon=True)
                self._loading.start()

    def _load(self) -> None:
        try:
            self._model = self._open()
        except Exception as error:  # hub, tokenizers and onnxruntime share no narrower base class
            _log.warning(
                "The model %s of search.rerank_model cannot be loaded (%s); results keep their order.",
                self._name,
                error,
            )

    def _open(self) -> TextCrossEncoder:
        from fastembed.rerank.cross_encoder import TextCrossEncoder

        folder = Path(self._name).expanduser()
        if folder.is_dir():
            return _from_folder(folder)
        local_only = not self._allow_download
        return TextCrossEncoder(self._name, cache_dir=self._cache, local_files_only=local_only)


def _from_folder(folder: Path) -> TextCrossEncoder:
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    file = next((name for name in ONNX_FILES if (folder / name).is_file()), ONNX_FILES[0])
    name = f"local/{folder.resolve().name}"
    if name not in {entry["model"] for entry in TextCrossEncoder.list_supported_models()}:
        TextCrossEncoder.add_custom_model(name, sources=ModelSource(hf=name), model_file=file)
    return TextCrossEncoder(name, cache_dir=str(folder), specific_model_path=str(folder))
