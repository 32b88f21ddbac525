"""Combines two vectors for a passage of code: that of its text, and that of its place."""

from collections.abc import Sequence

import numpy as np

from sightline.arrays import Floats
from sightline.embedding.embedder import Embedder, unit_rows
from sightline.passage import part

# The weight of the place relative to the code; docs/model.md has the measurements. Vectors are stored by
# model and text, so another weight needs another separator, or old and new vectors would be mixed.
_PLACE_WEIGHT = np.float32(0.8)


def embed_passages(embedder: Embedder, texts: Sequence[str]) -> Floats:
    """Return a unit vector per text; for a passage, that of its code moved towards that of its place.

    In a single text the few words of the place would have little weight among those of the code.
    """
    split = [part(text) for text in texts]
    # The parts of a long definition share their place.
    rows = {place: row for row, place in enumerate(dict.fromkeys(place for place, _ in split if place))}
    vectors = embedder.embed([*(code for _, code in split), *rows])
    codes, places = vectors[: len(texts)], vectors[len(texts) :]
    placed = [row for row, (place, _) in enumerate(split) if place]
    codes[placed] += _PLACE_WEIGHT * places[[rows[split[row][0]] for row in placed]]
    return unit_rows(codes)
