"""Splits text into lines and search terms: identifiers split at case changes, words reduced to stems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeVar

from py_rust_stemmers import SnowballStemmer

_IDENTIFIER = re.compile(r"\w+")
# Everything between identifiers in ASCII text becomes a space.
_BETWEEN = bytes(code if chr(code).isalnum() or chr(code) == "_" else ord(" ") for code in range(256))
# `HTTPServer2` -> HTTP Server 2, `URLs` stays one word; a run with non-ASCII letters is not split.
_HUMPS = r"[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+|\d+"
_UNCUT = r"[A-Za-z]*[^\W\d_A-Za-z][^\W\d_]*"
_PART = re.compile(f"{_UNCUT}|{_HUMPS}", re.UNICODE)
_PART_OR_END = re.compile(f"{_UNCUT}|{_HUMPS}|\n", re.UNICODE)
# Without the alternative that fails at each part of most names: takes half the time.
_ASCII_PART = re.compile(_HUMPS, re.ASCII)
_ASCII_PART_OR_END = re.compile(f"{_HUMPS}|\n", re.ASCII)
_LINE_END = re.compile(r"\r\n|\n|\r")
# A hash or an encoded blob is not a word; longer runs only bloat the vocabulary.
MAX_TOKEN = 64
_CACHE_SIZE = 1 << 17
_NAME_CACHE = 1 << 14

_Value = TypeVar("_Value")
_STEMMER = SnowballStemmer("english")


def lines_of(text: str) -> list[str]:
    """The lines of a text as editors count them; `splitlines` would also break at form feeds and the like."""
    # Ten times as fast, and nearly every text qualifies.
    return _LINE_END.split(text) if "\r" in text else text.split("\n")


def parts_of(text: str) -> re.Pattern[str]:
    """The expression that finds the parts of the identifiers of a text."""
    return _ASCII_PART if text.isascii() else _PART


def split(identifier: str) -> list[str]:
    """The lower-cased parts of an identifier, in order."""
    return list(map(str.lower, parts_of(identifier).findall(identifier)))


@lru_cache(maxsize=_NAME_CACHE)
def name_stems(name: str) -> tuple[str, ...]:
    """The stemmed parts of a name, in order; the names of one project recur from search to search."""
    return tuple(stems(name))


def fold(identifier: str) -> str:
    """A name without case, underscores and plurals."""
    return "".join(stems(identifier))


def fold_all(identifiers: Iterable[str]) -> list[str]:
    """Each name without case, underscores and plurals; for many at once, `fold` takes five times as long."""
    text = "".join([identifier.replace("\n", " ") + "\n" for identifier in identifiers])
    found = (_ASCII_PART_OR_END if text.isascii() else _PART_OR_END).findall(text)
    # A number is its own stem, and there are too many of them to cache.
    stem_of = {part: part if part.isdigit() else stem(part.lower()) for part in set(found)}
    return "".join(map(stem_of.__getitem__, found)).split("\n")[:-1]


def stem(word: str) -> str:
    """The stem under which a lower-cased word is indexed and looked up."""
    return _STEMS[word]


def stems(identifier: str) -> list[str]:
    """The stemmed parts of an identifier, in order."""
    return list(map(_STEMS.__getitem__, split(identifier)))


def rare_stem(word: str) -> str:
    """The same for a word that rarely recurs: caching it would take longer than stemming it."""
    return _STEMMER.stem_word(word) if len(word) > 2 and word.isascii() else word


def terms_of(identifier: str) -> tuple[str, ...]:
    """The search terms of an identifier: itself, and its stemmed parts."""
    # The whole identifier is stemmed too: typed in lower case it is one word, and must match itself.
    parts = split(identifier[:MAX_TOKEN])
    stemmed = tuple(map(_STEMS.__getitem__, parts))
    return stemmed if len(parts) < 2 else (rare_stem("".join(parts)), *stemmed)


def terms_of_each(identifiers: Sequence[str]) -> list[list[str]]:
    """The search terms of each identifier; for many at once, `terms_of` takes three times as long."""
    text = "".join([f"{identifier[:MAX_TOKEN]}\n" for identifier in identifiers])
    found = (_ASCII_PART_OR_END if text.isascii() else _PART_OR_END).findall(text)
    parts = list(map(str.lower, found))
    stemmed = list(map(_STEMS.__getitem__, parts))
    terms: list[list[str]] = []
    start = 0
    for whole in "".join(parts).split("\n")[:-1]:
        end = stemmed.index("\n", start)
        own = stemmed[start:end]
        terms.append(own if end - start < 2 else [rare_stem(whole), *own])
        start = end + 1
    return terms


class _Cache(dict[str, _Value]):
    """What a function returns for each string; a look-up takes half the time of one in `lru_cache`."""

    def __init__(self, function: Callable[[str], _Value]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, key: str) -> _Value:
        if len(self) >= _CACHE_SIZE:
            self.clear()
        value = self[key] = self._function(key)
        return value


_STEMS = _Cache(rare_stem)
_TERMS = _Cache(terms_of)


def tokens(text: str) -> list[str]:
    """Every search term of a text: each identifier as a whole and in stemmed parts."""
    return list(_each_term(text))


def counted(text: str) -> dict[str, int]:
    """Every search term of a text and how often it occurs."""
    return dict(Counter(_each_term(text)))


def _each_term(text: str) -> Iterable[str]:
    return chain.from_iterable(map(_TERMS.__getitem__, identifiers_in(text)))


def identifiers_in(text: str) -> list[str]:
    """The identifiers of a text, in order."""
    # As bytes it takes a quarter of the time of the expression: this runs over every byte of a folder.
    return text.encode().translate(_BETWEEN).decode().split() if text.isascii() else _IDENTIFIER.findall(text)
