"""Gitignore globs of one path component, and tables that find the globs matching a name."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Generic, TypeVar

Value = TypeVar("Value")
Matcher = Callable[[str], object]

_META = re.compile(r"[*?\[\\]")
_STAR = "[^/]*"
_POSIX_CLASSES = {
    "[:alnum:]": "a-zA-Z0-9",
    "[:alpha:]": "a-zA-Z",
    "[:blank:]": " \t",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:space:]": " \t\n\r\f\v",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9a-fA-F",
}
# A character, an escaped character, or a wildcard; only simple character classes are supported.
_PIECE = re.compile(r"\\(.)|\[[!^]?\]?[^\]\[\\]*\]|([*?\[])|(.)", re.DOTALL)
# Fewer globs than this are faster to try one by one than to look up.
_FEW = 16
# Names are looked up by every substring of up to this many characters.
_LONGEST_KEY = 8
# The maximum number of globs with the same key, or without one, tried for a name; real files have fewer.
_MOST_ALIKE = 200

log = logging.getLogger(__name__)


def is_literal(glob: str) -> bool:
    """Whether a glob matches exactly one name."""
    return not _META.search(glob)


class GlobTable(Generic[Value]):
    """Values by glob; the time to look up a name does not grow with the number of globs."""

    def __init__(self) -> None:
        self._values: dict[str, Value] = {}
        self._suffixes: dict[str, Value] = {}
        self._suffix_lengths: set[int] = set()
        self._keyed: dict[str, list[str]] = {}
        self._key_lengths: set[int] = set()

    def setdefault(self, glob: str, make: Callable[[], Value]) -> Value:
        """The value of a glob, created on first use."""
        suffix = glob[1:] if glob.startswith("*") and glob[1:] and is_literal(glob[1:]) else None
        known = self._values.get(glob) if suffix is None else self._suffixes.get(suffix)
        if known is not None:
            return known
        value = make()
        if suffix is not None:
            self._suffixes[suffix] = value
            self._suffix_lengths.add(len(suffix))
        else:
            self._add(glob, value)
        return value

    def find(self, name: str) -> Iterator[Value]:
        """The values of the globs that match a name; may contain duplicates."""
        for length in self._suffix_lengths:
            if (value := self._suffixes.get(name[-length:])) is not None:
                yield value
        for glob in self._values if len(self._values) <= _FEW else self._candidates(name):
            if matcher(glob)(name):
                yield self._values[glob]

    def _add(self, glob: str, value: Value) -> None:
        key = _key(glob)
        alike = self._keyed.setdefault(key, [])
        if len(alike) >= _MOST_ALIKE:
            log.warning("more than %d ignore patterns are like '%s'; it is not used", _MOST_ALIKE, glob)
            return
        alike.append(glob)
        self._key_lengths.add(len(key))
        self._values[glob] = value

    def _candidates(self, name: str) -> Iterator[str]:
        for length in self._key_lengths:
            # Without a literal character the key is empty: the empty substring is in every name, once.
            for start in range(len(name) - length + 1 if length else 1):
                yield from self._keyed.get(name[start : start + length], ())


def _key(glob: str) -> str:
    """Characters that must be in every name the glob matches, in this order: the start of its longest run."""
    runs = [""]
    for escaped, special, plain in (match.groups() for match in _PIECE.finditer(glob)):
        if special == "[":
            break
        if escaped or plain:
            runs[-1] += escaped or plain
        else:
            runs.append("")
    return max(runs, key=len)[:_LONGEST_KEY]


@lru_cache(maxsize=8192)
def matcher(glob: str) -> Matcher:
    """A predicate for the names that a glob matches; it matches none if the glob is invalid in git."""
    if is_literal(glob):
        return glob.__eq__
    if not glob.strip("*"):
        return bool
    try:
        return _search(glob)
    except (ValueError, re.error):
        return lambda _: False


def _search(glob: str) -> Matcher:
    # Imported here: most globs are names or endings, and a folder may have none of another form.
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    for name, members in _POSIX_CLASSES.items():
        glob = glob.replace(name, members)
    # pathspec strips what looks like trailing white space; brackets protect it.
    glob = re.sub(r"\\?(\s)$", r"[\1]", glob)
    with warnings.catch_warnings():
        # `[[]` is valid in git; Python only warns that its meaning may change.
        warnings.simplefilter("ignore", FutureWarning)
        compiled = GitIgnoreSpecPattern("/" + glob)
        if compiled.regex is None:
            raise ValueError(glob)
        return re.compile(_without_backtracking(compiled.regex.pattern), re.DOTALL).search


def _without_backtracking(regex: str) -> str:
    """The same regex with every `*` but the last fixed at its first match, so that no name makes it slow."""
    head, *pieces = regex.split(_STAR)
    if len(pieces) < 3:
        return regex
    settled = "".join(
        f"(?=(?P<s{number}>{_STAR}?{piece}))(?P=s{number})" for number, piece in enumerate(pieces[:-1])
    )
    return head + settled + _STAR + pieces[-1]
