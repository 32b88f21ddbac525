"""Runs the packaged model: a text is the sum of its tokens' vectors, with repeated tokens counting less."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers
from sightline.embedding.embedder import unit, unit_rows
from sightline.embedding.lexicon import Lexicon

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Pooling builds a (texts x distinct tokens) matrix for each batch: larger batches cost more than they save.
_BATCH = 64


class TableEmbedder:
    """A token table with saturated counts: n occurrences count as 1 + log2(n), as in training.

    Without that, a name mentioned twenty times would dominate the vector of its chunk.
    """

    def __init__(
        self,
        model_id: str,
        rows: NDArray[np.int8],
        weights: Floats,
        tokenizer: "Tokenizer",
        unknown: int | None,
    ) -> None:
        self.id = model_id
        self.dim = int(rows.shape[1])
        self._rows = rows
        self._weights = weights
        self._lexicon = Lexicon(tokenizer, unknown)

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return one unit vector per text as rows."""
        parts = [self._sums(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        return unit_rows(np.concatenate(parts)) if parts else np.zeros((0, self.dim), np.float32)

    def embed_query(self, text: str) -> Floats:
        """Return the unit vector of a query; it is embedded like any other text."""
        # A query is short: counted so, it takes a fraction of what `np.unique` needs.
        occurs = Counter(self._lexicon.ids_of(text))
        tokens = sorted(occurs)
        counts = np.fromiter(map(occurs.__getitem__, tokens), np.int64, len(tokens))
        weights = saturated(counts) * self._weights[tokens]
        return unit(weights @ self._rows[tokens].astype(np.float32))

    def _sums(self, texts: Sequence[str]) -> Floats:
        ids, owners = self._lexicon.ids(texts)
        # By counting, because sorting the tokens would take twice as long.
        occurs = np.zeros(len(self._rows), np.bool_)
        occurs[ids] = True
        distinct = np.flatnonzero(occurs)
        columns = np.empty(len(occurs), np.int64)
        columns[distinct] = np.arange(len(distinct))
        counts = np.bincount(owners * len(distinct) + columns[ids], minlength=len(texts) * len(distinct))
        # With the table, which has a zero for none, this takes half of the time.
        matrix = _SATURATED.take(counts, mode="clip").reshape(len(texts), len(distinct))
        matrix *= self._weights[distinct]
        sums: Floats = matrix @ self._rows[distinct].astype(np.float32)
        return sums


def saturated(counts: Integers) -> Floats:
    """Return one plus the integer part of each count's binary logarithm."""
    return np.frexp(counts)[1].astype(np.float32)


# A passage has 2,000 characters at most, so no token occurs more often in it.
_SATURATED = saturated(np.arange(1 << 11))
