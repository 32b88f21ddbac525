"""How text becomes lines and search terms: identifiers split at their humps, words folded to their stems."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from py_rust_stemmers import SnowballStemmer

_IDENTIFIER = re.compile(r"[^\W_]+(?:_+[^\W_]+)*_*", re.UNICODE)
# `HTTPServer2` -> HTTP Server 2, `URLs` stays one word; a run with letters beyond ASCII is not cut.
_PART = re.compile(r"[A-Za-z]*[^\W\d_A-Za-z][^\W\d_]*|[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+|\d+", re.UNICODE)
_LINE_END = re.compile(r"\r\n|\n|\r")
# A hash or an encoded blob is no word; longer runs only bloat the vocabulary.
_MAX_TOKEN = 64
_CACHE_SIZE = 1 << 17

_STEMMER = SnowballStemmer("english")


def lines_of(text: str) -> list[str]:
    """The lines of a text as editors count them; `splitlines` would also break at form feeds and the like."""
    return _LINE_END.split(text)


def split(identifier: str) -> list[str]:
    """The lower-cased parts of an identifier, in order."""
    return [part.lower() for part in _PART.findall(identifier)]


@lru_cache(maxsize=_CACHE_SIZE)
def stem(word: str) -> str:
    """The stem under which a lower-cased word is indexed and looked up."""
    return _STEMMER.stem_word(word) if len(word) > 2 and word.isascii() else word


@lru_cache(maxsize=_CACHE_SIZE)
def _terms(identifier: str) -> tuple[str, ...]:
    # The whole is stemmed too: typed in lower case it is one word, and must meet itself.
    parts = split(identifier[:_MAX_TOKEN])
    stems = tuple(stem(part) for part in parts)
    if len(parts) < 2:
        return stems
    return (stem("".join(parts)), *stems)


def tokens(text: str) -> list[str]:
    """Every search term of a text: each identifier whole and in stemmed parts."""
    return list(chain.from_iterable(map(_terms, _IDENTIFIER.findall(text))))
