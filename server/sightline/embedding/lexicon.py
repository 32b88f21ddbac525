"""Turns texts into bags of token ids; each distinct identifier is tokenised once."""

import re
from collections.abc import Sequence
from itertools import chain
from string import punctuation, whitespace
from typing import TYPE_CHECKING

import numpy as np

from sightline.arrays import Integers
from sightline.identifier_ids import Found, IdentifierIds, ends_of

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
        self._tokenizer = tokenizer
        self._unknown = unknown
        # Each access to the tokenizer's model makes a new object.
        self._model = tokenizer.model

    def __missing__(self, word: str) -> list[int]:
        """Tokenize a word of an identifier, or an identifier that was not split."""
        if not _is_split(word):
            found: list[int] = self._tokenizer.encode(word, add_special_tokens=False).ids
            return [id for id in found if id != self._unknown]
        # The tokenizer ignores the case.
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


class Lexicon:
    """Knows the token ids of each identifier that it has seen.

    Tokenising is most of the cost of a static model, and code repeats its identifiers.
    """

    def __init__(self, tokenizer: "Tokenizer", unknown: int | None) -> None:
        self._words = _Words(tokenizer, unknown)
        self._ids = IdentifierIds(self._tokens)

    def ids(self, texts: Sequence[str]) -> tuple[Integers, Integers]:
        """Return the token ids of all texts in order, and for each the row of its text."""
        return self._ids.of_texts([_identifiers(text) for text in texts])

    def ids_of(self, text: str) -> list[int]:
        """Return the token ids of a query, in order; without the arrays that many texts need."""
        words = chain.from_iterable(map(_words_of, _identifiers(text)))
        return list(chain.from_iterable(map(self._words.__getitem__, words)))

    def _tokens(self, identifiers: Sequence[str]) -> Found:
        split = [_words_of(identifier) for identifier in identifiers]
        tokens = list(map(self._words.__getitem__, chain.from_iterable(split)))
        ends = ends_of(tokens)
        ids = np.fromiter(chain.from_iterable(tokens), np.int64, int(ends[-1]))
        return ids, np.diff(ends[ends_of(split)])


def _words_of(identifier: str) -> list[str]:
    return _WORD.findall(identifier) if _is_split(identifier) else [identifier]


def _is_split(identifier: str) -> bool:
    """Whether an identifier is split into words here, instead of by the tokenizer."""
    return len(identifier) < _LONG and identifier.isascii()
