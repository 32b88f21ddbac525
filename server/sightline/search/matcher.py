"""Scores how well a typed pattern matches a name: subsequence, segment heads, smart case, camel humps."""

from __future__ import annotations

import re
from functools import lru_cache

# Users type the first characters of segments on purpose.
HEAD = 12.0
CONSECUTIVE = 6.0
PLAIN = 2.0
CASE = 1.0
EXACT = 1.0
OTHER_CASE = 0.98
PREFIX = 0.9
# What the share of the name that a prefix is, and its case, add.
PREFIX_SHARE = 0.08
SAME_CASE = 0.01
# The score of a subsequence match stays below that of a prefix match, whatever its bonuses.
SUBSEQUENCE_TOP = 0.85
# How much of that score depends on the share of the name that was typed.
LENGTH_WEIGHT = 0.15
MAX_PATTERN = 64
MAX_NAME = 128
_QUALIFIER = re.compile(r"::|->|[./#\s]")
_CACHE_SIZE = 1 << 16


@lru_cache(maxsize=_CACHE_SIZE)
def _heads(name: str) -> tuple[bool, ...]:
    """For each character, whether a segment starts there: `getHTTPResponse2` -> g, H, R, 2."""
    heads: list[bool] = []
    for at, char in enumerate(name):
        before = name[at - 1] if at else "_"
        after = name[at + 1] if at + 1 < len(name) else ""
        heads.append(
            char.isalnum()
            and (
                not before.isalnum()
                or (char.isupper() and (not before.isupper() or after.islower()))
                or (char.isdigit() and not before.isdigit())
            )
        )
    return tuple(heads)


@lru_cache(maxsize=64)
def _in_order(pattern: str) -> re.Pattern[str]:
    """A regex for these characters in order; each step can end in one place only, so it never backtracks."""
    return re.compile("".join(f"[^{re.escape(char)}]*{re.escape(char)}" for char in pattern), re.DOTALL)


def _same_hump(char: str, name: str, column: int) -> bool:
    """Whether an upper-case letter matches here: the same letter, or the head of a `_` segment."""
    return not char.isupper() or name[column] == char or (column > 0 and name[column - 1] == "_")


def _subsequence_score(pattern: str, name: str, smart: bool) -> float:
    """The score of the best alignment; each pattern character is at a head, consecutive, or in between."""
    low_pattern, low_name, heads = pattern.lower(), name.lower(), _heads(name)
    none = float("-inf")
    ended = [none] * len(name)
    for row, char in enumerate(low_pattern):
        here = [none] * len(name)
        best_before = 0.0 if row == 0 else none
        for column, other in enumerate(low_name):
            if char == other and (not smart or _same_hump(pattern[row], name, column)):
                points = HEAD if heads[column] else PLAIN
                points += CASE if pattern[row] == name[column] else 0.0
                follow = ended[column - 1] + CONSECUTIVE if row and column else none
                here[column] = max(best_before, follow) + points
            best_before = max(best_before, ended[column]) if row else 0.0
        ended = here
    return max(ended, default=none)


def most_points(length: int) -> float:
    """The points of a pattern of this length that matches segment heads, in a row and in the same case."""
    return length * (HEAD + CASE) + (length - 1) * CONSECUTIVE


def match_start(pattern: str, name: str) -> float:
    """How well a pattern matches a name that equals it or starts with it, from 0.9 to 1; else 0."""
    pattern, name = pattern[:MAX_PATTERN], name[:MAX_NAME]
    if not pattern or not name.lower().startswith(pattern.lower()):
        return 0.0
    same_case = name.startswith(pattern)
    if len(pattern) == len(name):
        return EXACT if same_case else OTHER_CASE
    smart = any(char.isupper() for char in pattern)
    if not same_case and smart:
        return 0.0
    return PREFIX + PREFIX_SHARE * len(pattern) / len(name) + (SAME_CASE if same_case else 0.0)


def match(pattern: str, name: str) -> float:
    """From 0 (no match) to 1 (the same name); upper case in the pattern matches a hump of the name."""
    pattern, name = pattern[:MAX_PATTERN], name[:MAX_NAME]
    start = match_start(pattern, name)
    if start or not pattern or not _in_order(pattern.lower()).match(name.lower()):
        return start
    points = _subsequence_score(pattern, name, smart=any(char.isupper() for char in pattern))
    if points <= 0:
        return 0.0
    share = min(1.0, points / most_points(len(pattern)))
    return SUBSEQUENCE_TOP * share * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * len(pattern) / len(name))


def qualified(query: str) -> tuple[str, str]:
    """The container part and the name part of a query such as `Foo::bar`, `a.b.c` or `Foo bar`."""
    parts = [part for part in _QUALIFIER.split(query.strip()) if part]
    if not parts:
        return "", ""
    return " ".join(parts[:-1]), parts[-1]


def match_container(pattern: str, container: str) -> float:
    """How well container words match the end of a container path, in order; 1 for an empty pattern."""
    if not pattern:
        return 1.0
    segments = [part for part in _QUALIFIER.split(container) if part]
    total, at = 0.0, 0
    words = pattern.split()
    for word in words:
        scores = [(match(word, segment), -index) for index, segment in enumerate(segments[at:])]
        best = max(scores, default=(0.0, 0))
        if best[0] <= 0:
            return 0.0
        total += best[0]
        at += 1 - best[1]
    return total / len(words)
