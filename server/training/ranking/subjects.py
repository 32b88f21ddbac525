"""Subjects of commits as queries: which tell what changed, and how a person would ask for it."""

from __future__ import annotations

import re

_FEWEST_WORDS = 4
_MOST_WORDS = 16
# What is not about the behaviour of code, or about all of it.
_DULL = re.compile(
    r"\b(?:release|version|bump|merge|revert|typos?|changelog|docs?|documentation|comments?|ci|lint|clippy"
    r"|format(?:ting)?|cleanup|clean up|refactor\w*|deps|dependenc\w+|translations?|copyright|readme|tests?"
    r"|testing|spec|benchmarks?|upgrade|backport\w*|style|chore|build|license|snapshot|wip|master|workflow"
    r"|github|docblock|javadoc|docstring|deprecat\w+)\b|\d+\.\d+\.\d+",
    re.IGNORECASE,
)
# In this order: numbers of issues in brackets, `Fixes #1 -- `, `[area] `, `area(part): `, `, closes #1.`
_TRIMMED = (
    re.compile(r"\s*\(#\d+\)"),
    re.compile(r"^(?:Fixed|Refs|Fixes|Closes|Fix)\s*#\d+(?:,\s*#\d+)*\s*(?:--|:|-)\s*"),
    re.compile(r"^\[[^\]]+\]\s*"),
    re.compile(r"^[\w./,*{} -]{1,40}(?:\([^)]*\))?!?:\s+"),
    re.compile(r"(?:,?\s*\(?(?:fix|close|fixes|closes|refs?|issue)?\s*#\d+\)?)+\.?$"),
)


def query_of(subject: str) -> str | None:
    """What a person would type who wants to make the change, None if the subject does not tell."""
    text = subject
    for pattern in _TRIMMED:
        text = pattern.sub("", text)
    text = text.strip()
    telling = _FEWEST_WORDS <= len(text.split()) <= _MOST_WORDS and not _DULL.search(subject)
    return text if telling else None
