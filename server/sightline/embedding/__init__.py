"""Turns texts into vectors: with the packaged model, or another one the user chose, through fastembed."""

from sightline.embedding.embedder import Embedder, ModelUnavailable
from sightline.embedding.load_model import PACKAGED, load_embedder
from sightline.embedding.passages import embed_passages

__all__ = [
    "PACKAGED",
    "Embedder",
    "ModelUnavailable",
    "embed_passages",
    "load_embedder",
]
