"""Scores many names at once: for names of ASCII characters the scores of `matcher.match`, as arrays."""

from __future__ import annotations

import string
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats, Integers, Mask
from sightline.errors import stop_if
from sightline.search.matcher import (
    CASE,
    CONSECUTIVE,
    EXACT,
    HEAD,
    LENGTH_WEIGHT,
    MAX_NAME,
    MAX_PATTERN,
    OTHER_CASE,
    PLAIN,
    PREFIX,
    PREFIX_SHARE,
    SAME_CASE,
    SUBSEQUENCE_TOP,
    most_points,
)
from sightline.stores.memory.name_text import Bytes, NameRun

Scores = NDArray[np.float64]

# Names aligned at a time: their arrays stay in the processor cache.
_BLOCK = 2048
_NONE = np.float32("-inf")


def _table(characters: str) -> Mask:
    """For every byte, whether it is one of these characters."""
    found = np.zeros(256, np.bool_)
    found[list(characters.encode("ascii"))] = True
    return found


_LOWERS, _UPPERS, _DIGITS = map(_table, (string.ascii_lowercase, string.ascii_uppercase, string.digits))
_ALPHANUMERICS = _LOWERS | _UPPERS | _DIGITS
_FOLDED = (np.arange(256) + 32 * _UPPERS).astype(np.uint8)


class NameScores:
    """Compares a pattern of ASCII characters with names of one run, given by their numbers in it."""

    def __init__(self, pattern: str, run: NameRun, names: Integers) -> None:
        self._pattern = np.frombuffer(pattern[:MAX_PATTERN].encode("ascii"), np.uint8)
        self._folded = _FOLDED[self._pattern]
        self._smart = bool(_UPPERS[self._pattern].any())
        self._text = run.text
        self._starts = run.starts[names]
        self._sizes = np.minimum(run.ends[names] - self._starts, MAX_NAME)

    def starts(self) -> Scores:
        """The scores of names that start with the pattern; else 0."""
        scores, length = np.zeros(len(self._sizes)), len(self._pattern)
        found = np.flatnonzero(self._sizes >= length)
        for at, char in enumerate(self._folded.tolist()):
            found = found[_FOLDED[self._text[self._starts[found] + at]] == char]
        same = self._same_case(found)
        sizes = self._sizes[found]
        begins = PREFIX + PREFIX_SHARE * length / sizes + np.where(same, SAME_CASE, 0.0)
        if self._smart:
            begins[~same] = 0.0
        scores[found] = np.where(sizes == length, np.where(same, EXACT, OTHER_CASE), begins)
        return scores

    def all(self, cancelled: Callable[[], bool] | None) -> Scores:
        """The scores of all names."""
        scores = self.starts()
        others = np.flatnonzero((scores == 0) & (self._sizes >= len(self._pattern)))
        # Names of similar length together, so that little of a block is padding.
        others = others[np.argsort(self._sizes[others], kind="stable")]
        for start in range(0, len(others), _BLOCK):
            stop_if(cancelled)
            block = others[start : start + _BLOCK]
            chars = self._padded(block)
            kept = self._in_order(chars)
            scores[block[kept]] = self._aligned(chars[kept], self._sizes[block[kept]])
        return scores

    def _aligned(self, chars: Bytes, sizes: Integers) -> Scores:
        """The scores of names that do not start with the pattern."""
        length = len(self._pattern)
        share = np.minimum(1.0, self._points(chars).astype(np.float64) / most_points(length))
        lengths = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / sizes
        scores: Scores = np.maximum(0.0, SUBSEQUENCE_TOP * share * lengths)
        return scores

    def _same_case(self, names: Integers) -> Mask:
        places = self._starts[names][:, None] + np.arange(len(self._pattern))
        same: Mask = (self._text[places] == self._pattern).all(axis=1)
        return same

    def _in_order(self, chars: Bytes) -> Integers:
        """The rows that have the characters of the pattern in their order, whatever is between them."""
        rows, folded = np.arange(len(chars)), _FOLDED[chars]
        columns = np.arange(chars.shape[1], dtype=np.int16)
        at = np.zeros(len(chars), np.int16)
        for char in self._folded.tolist():
            hits = (folded == char) & (columns >= at[:, None])
            first = hits.argmax(axis=1)
            kept = hits[np.arange(len(hits)), first]
            rows, folded, at = rows[kept], folded[kept], (first[kept] + 1).astype(np.int16)
        return rows

    def _points(self, chars: Bytes) -> Floats:
        """The points of each row's best alignment: every character at a head, consecutive, or in between."""
        before = np.full_like(chars, ord("_"))
        before[:, 1:] = chars[:, :-1]
        folded, heads = _FOLDED[chars], np.where(_heads(chars, before), HEAD, PLAIN).astype(np.float32)
        ended: Floats = np.zeros((len(chars), 0), np.float32)
        for row, (char, low) in enumerate(zip(self._pattern.tolist(), self._folded.tolist(), strict=True)):
            points = heads + np.float32(CASE) * (chars == char)
            if row:
                points += _best_before(ended)
            fits = folded == low
            if self._smart and _UPPERS[char]:
                humps = before == ord("_")
                humps[:, 0] = False
                fits &= (chars == char) | humps
            ended = np.where(fits, points, _NONE)
        best: Floats = ended.max(axis=1, initial=_NONE)
        return best

    def _padded(self, names: Integers) -> Bytes:
        """The characters of names as rows of equal length, with zeros behind."""
        columns = np.arange(int(self._sizes[names].max()))
        places = self._starts[names][:, None] + columns
        chars: Bytes = self._text[np.minimum(places, len(self._text) - 1)]
        chars[columns >= self._sizes[names][:, None]] = 0
        return chars


def _heads(chars: Bytes, before: Bytes) -> Mask:
    """Where a segment of a name starts: `getHTTPResponse2` -> g, H, R, 2."""
    after = np.zeros_like(chars)
    after[:, :-1] = chars[:, 1:]
    humps = _UPPERS[chars] & (~_UPPERS[before] | _LOWERS[after])
    starts = ~_ALPHANUMERICS[before] | humps | (_DIGITS[chars] & ~_DIGITS[before])
    heads: Mask = _ALPHANUMERICS[chars] & starts
    return heads


def _best_before(ended: Floats) -> Floats:
    """For each column, the best points of the characters so far that end before it."""
    best = np.full_like(ended, _NONE)
    best[:, 1:] = np.maximum(np.maximum.accumulate(ended, axis=1), ended + np.float32(CONSECUTIVE))[:, :-1]
    return best
