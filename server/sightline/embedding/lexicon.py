"""Turns texts into bags of token ids; each distinct identifier is tokenised once."""

import re
from array import array
from collections.abc import Sequence
from itertools import chain
from string import punctuation, whitespace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from sightline.arrays import Integers

if TYPE_CHECKING:
    from tokenizers import Tokenizer


# Separators between identifiers. Punctuation of other scripts stays inside them: the tokenizer drops it.
_SEPARATORS = (punctuation + whitespace).replace("_", "").encode()
_BETWEEN = bytes.maketrans(_SEPARATORS, b" " * len(_SEPARATORS))
# The words into which the tokenizer splits an ASCII identifier, as it was trained: at case changes,
# underscores and digits.
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# A longer one may have more tokens than the tokenizer returns.
_LONG = 512


class _Words(dict[str, list[int]]):
    """The token ids of each word that was seen; identifiers are made of few distinct words."""

    def __init__(self, tokenizer: "Tokenizer", unknown: int | None) -> None:
        super().__init__()
        self._unknown = unknown
        # Each access to the tokenizer's model makes a new object.
        self._model = tokenizer.model

    def __missing__(self, word: str) -> list[int]:
        """Tokenize an ASCII word, of which the tokenizer ignores the case."""
        lower = word.lower()
        if word != lower:
            ids = self[word] = self[lower]
            return ids
        # Nothing of a word is left to normalise or to split: the model alone takes a tenth of the time.
        ids = [token.id for token in self._model.tokenize(word) if token.id != self._unknown]
        # Numbers rarely recur, and there are too many of them.
        if not word.isdigit():
            self[word] = ids
        return ids


def _identifiers(text: str) -> list[str]:
    # As bytes, which are translated ten times as fast: this runs over every byte of a folder.
    raw = text.encode("utf-8", "surrogatepass").translate(_BETWEEN)
    return raw.decode("utf-8", "surrogatepass").split()


# With fewer identifiers than this, looking up each is faster than copying the arrays.
_FEW = 256


class Lexicon(dict[str, int]):
    """Numbers the identifiers it sees, and stores the token ids of each.

    Tokenising is most of the cost of a static model, and code repeats its identifiers: with this cache, each
    text only needs a split and a look-up.
    """

    def __init__(self, tokenizer: "Tokenizer", unknown: int | None) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self._unknown = unknown
        self._words = _Words(tokenizer, unknown)
        self._ids = array("i")
        self._ends = array("i", [0])
        self._lock = Lock()

    def __missing__(self, identifier: str) -> int:
        """Add an identifier; two threads may both do so, and either number is valid."""
        # One that is a word was often part of another; it need not be searched for words.
        ids = self._words.get(identifier)
        if ids is None:
            ids = self._tokenized(identifier)
        with self._lock:
            self._ids.extend(ids)
            self._ends.append(len(self._ids))
            self[identifier] = number = len(self._ends) - 2
        return number

    def _tokenized(self, identifier: str) -> list[int]:
        if identifier.isascii() and len(identifier) < _LONG:
            return [id for word in _WORD.findall(identifier) for id in self._words[word]]
        ids: list[int] = self._tokenizer.encode(identifier, add_special_tokens=False).ids
        return [id for id in ids if id != self._unknown]

    def emptied(self) -> "Lexicon":
        """Return a new lexicon of the same tokenizer; threads that still read this one are not affected."""
        return Lexicon(self._tokenizer, self._unknown)

    def ids(self, texts: Sequence[str]) -> tuple[Integers, Integers]:
        """Return the token ids of all texts in order, and for each the row of its text."""
        found = [_identifiers(text) for text in texts]
        lengths = np.fromiter(map(len, found), np.int64, len(found))
        numbers = np.fromiter(map(self.__getitem__, chain.from_iterable(found)), np.int64, int(lengths.sum()))
        if len(numbers) < _FEW:
            return self._ids_of_few(numbers.tolist(), np.repeat(np.arange(len(found)), lengths))
        with self._lock:
            flat, ends = np.array(self._ids, np.int32), np.array(self._ends, np.int32)
        starts = ends[numbers].astype(np.int64)
        sizes = ends[numbers + 1] - starts
        shifts = starts - (np.cumsum(sizes) - sizes)
        ids = flat[np.arange(int(sizes.sum())) + np.repeat(shifts, sizes)]
        return ids.astype(np.int64), np.repeat(np.repeat(np.arange(len(found)), lengths), sizes)

    def _ids_of_few(self, numbers: Sequence[int], owners: Integers) -> tuple[Integers, Integers]:
        """The same for a query: without copying what is known of all identifiers."""
        with self._lock:
            ends = self._ends
            parts = [self._ids[ends[number] : ends[number + 1]] for number in numbers]
        sizes = np.fromiter(map(len, parts), np.int64, len(parts))
        ids = np.fromiter(chain.from_iterable(parts), np.int64, int(sizes.sum()))
        return ids, np.repeat(owners, sizes)
