"""Encodes many texts as token ids faster than one by one: each distinct word is tokenized once."""

import re
from collections import Counter

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.tokenizer import UNKNOWN

# Splits like the tokenizer, in one pass; words of other scripts are rare in code and skipped.
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class Encoder:
    """An encoder that caches the ids of every word."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._unknown = tokenizer.token_to_id(UNKNOWN)
        self._ids: dict[str, list[int]] = {}

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's tokens in order, without unknown ones."""
        found: list[int] = []
        for word in _WORD.findall(text):
            known = self._ids.get(word)
            found.extend(self._learn(word) if known is None else known)
        return found

    def _learn(self, word: str) -> list[int]:
        encoded = self._tokenizer.encode(word.lower(), add_special_tokens=False).ids
        self._ids[word] = [token for token in encoded if token != self._unknown]
        return self._ids[word]


class Bags:
    """Texts as bags of tokens: flat arrays of distinct ids and their counts, and where each bag starts."""

    def __init__(self, texts: list[list[int]]) -> None:
        counted = [Counter(text) for text in texts]
        lengths = np.fromiter(map(len, counted), dtype=np.int64, count=len(counted))
        self.starts = np.concatenate(([0], np.cumsum(lengths)))
        total = int(self.starts[-1])
        self.ids = np.fromiter((token for bag in counted for token in bag), dtype=np.int32, count=total)
        counts = (count for bag in counted for count in bag.values())
        self.counts = np.fromiter(counts, dtype=np.float32, count=total)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(
        self, rows: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int64]]:
        """Return ids, counts and offsets of some bags in the format of an embedding bag."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        offsets = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        positions = np.arange(int(lengths.sum())) + np.repeat(self.starts[rows] - offsets, lengths)
        return self.ids[positions].astype(np.int64), self.counts[positions], offsets
