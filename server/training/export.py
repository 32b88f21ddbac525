"""Exports the table as files for fastembed: int8 rows, one weight per token, tokenizer, manifest."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from sightline.embedding.checksums import Manifest, write_manifest

_LEVELS = 127


def quantized(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return rows of int8 and the weight that restores the scale of each; fastembed multiplies by it."""
    largest = np.abs(table).max(axis=1)
    scale = np.where(largest > 0, largest, 1) / _LEVELS
    return np.rint(table / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def write_safetensors(path: Path, tensors: dict[str, NDArray[np.int8] | NDArray[np.float32]]) -> None:
    """Write tensors in the safetensors format: header size, JSON header, raw little-endian data."""
    kinds = {"int8": "I8", "float32": "F32"}
    header: dict[str, object] = {}
    position = 0
    for name, tensor in tensors.items():
        ends = position + tensor.nbytes
        header[name] = {
            "dtype": kinds[tensor.dtype.name],
            "shape": list(tensor.shape),
            "data_offsets": [position, ends],
        }
        position = ends
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    data = b"".join(tensor.tobytes() for tensor in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def export(table: NDArray[np.float32], tokenizer: Tokenizer, folder: Path, name: str) -> Manifest:
    """Write a complete model folder."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, weights = quantized(table)
    write_safetensors(folder / "model.safetensors", {"weights": weights, "embeddings": rows})
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    return write_manifest(folder, name, ["model.safetensors", "tokenizer.json"])
