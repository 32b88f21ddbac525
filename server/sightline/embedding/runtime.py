"""fastembed behind the Embedder interface."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sightline.arrays import Floats
from sightline.embedding.embedder import unit_rows

if TYPE_CHECKING:
    from fastembed import TextEmbedding

# Pooling builds a (texts x distinct tokens) matrix for each batch: larger batches cost more than they save.
_BATCH = 256


# Without slots, so that the registry of models can refer to it weakly.
@dataclass(frozen=True)
class FastembedEmbedder:
    """A loaded fastembed model; its tokenizer and its computation keep no state between calls."""

    id: str
    dim: int
    model: "TextEmbedding"

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return one unit vector per text as rows."""
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        return unit_rows(np.stack(list(self.model.embed(list(texts), batch_size=_BATCH))))

    def embed_query(self, text: str) -> Floats:
        """Return the unit vector of a query, with the prefix that a catalogue model may require."""
        row: Floats = unit_rows(np.stack(list(self.model.query_embed(text))))[0]
        return row


def dimension_of(model: "TextEmbedding") -> int:
    """Return the vector length by embedding a text: a folder of weights may not declare it."""
    return int(next(iter(model.embed(["dimension"]))).shape[0])
