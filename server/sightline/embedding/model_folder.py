"""Models in a folder of the user (or of the package): static tables and ONNX graphs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from sightline.embedding.checksums import MANIFEST, sha256_of, verified_manifest
from sightline.embedding.embedder import Embedder, ModelUnavailable
from sightline.embedding.runtime import FastembedEmbedder, dimension_of
from sightline.embedding.static_table import TableEmbedder
from sightline.embedding.tensors import read_tensors, read_tokenizer

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import PoolingType

# fastembed reads any folder through a model it knows; this one selects its class for static tables.
_STATIC_CLASS = "minishlab/potion-base-8M"
_STATIC_FILE = "model.safetensors"
_TOKENIZER_FILE = "tokenizer.json"
ONNX_FILES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")


def load_packaged(folder: Path) -> Embedder:
    """Load a model that was built for Sightline and has a manifest, after checking every byte of it."""
    model_id = verified_manifest(folder).id
    try:
        tensors = read_tensors(folder / _STATIC_FILE)
        tokenizer, unknown = read_tokenizer(folder / _TOKENIZER_FILE)
        return TableEmbedder(model_id, tensors["embeddings"], tensors["weights"], tokenizer, unknown)
    except Exception as error:  # tokenizers raises bare Exception for a file it cannot read
        raise ModelUnavailable(f"The model in {folder} cannot be loaded ({error}).") from error


def load_folder(folder: Path) -> Embedder:
    """Load the model in a folder, whichever kind it is."""
    if (folder / MANIFEST).is_file():
        return load_packaged(folder)
    weights = next((name for name in _candidates(folder) if (folder / name).is_file()), None)
    if weights is None:
        raise ModelUnavailable(
            f"No model in {folder}: expected tokenizer.json beside {_STATIC_FILE} or {ONNX_FILES[0]}. "
            'Correct embedding.model, or set it to "packaged".'
        )
    digest = sha256_of(folder / weights)[:12]
    model_id = f"local/{folder.resolve().name}:{digest}"
    if weights == _STATIC_FILE:
        model = _open_static(folder)
        return FastembedEmbedder(model_id, dimension_of(model), model)
    return _load_onnx(folder, weights, model_id)


def _open_static(folder: Path) -> "TextEmbedding":
    """Load a token table and its tokenizer; nothing is downloaded or written."""
    from fastembed import TextEmbedding

    try:
        return TextEmbedding(_STATIC_CLASS, cache_dir=str(folder), specific_model_path=str(folder))
    except Exception as error:  # tokenizers raises bare Exception for a file it cannot read
        raise ModelUnavailable(f"The model in {folder} cannot be loaded ({error}).") from error


def _load_onnx(folder: Path, weights: str, model_id: str) -> Embedder:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource

    known = {entry["model"] for entry in TextEmbedding.list_supported_models()}
    if model_id not in known:
        TextEmbedding.add_custom_model(
            model=model_id,
            pooling=_pooling(folder),
            normalization=True,
            sources=ModelSource(hf=model_id),
            dim=0,
            model_file=weights,
        )
    try:
        model = TextEmbedding(model_id, cache_dir=str(folder), specific_model_path=str(folder))
        return FastembedEmbedder(model_id, dimension_of(model), model)
    except Exception as error:  # onnxruntime's own exception classes have no common base but Exception
        raise ModelUnavailable(f"The model in {folder} cannot be loaded ({error}).") from error


def _candidates(folder: Path) -> tuple[str, ...]:
    return (_STATIC_FILE, *ONNX_FILES) if (folder / _TOKENIZER_FILE).is_file() else ()


def _pooling(folder: Path) -> "PoolingType":
    """Read the sentence-transformers pooling file; models without one are pooled by the mean."""
    from fastembed.common.model_description import PoolingType

    try:
        config = json.loads((folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return PoolingType.MEAN
    return PoolingType.CLS if config.get("pooling_mode_cls_token") else PoolingType.MEAN
