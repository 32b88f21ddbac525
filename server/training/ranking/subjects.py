"""Turns commit subjects into queries: selects descriptive ones and rewrites them as a user would ask."""

from __future__ import annotations

import re

_MIN_WORDS = 4
_MAX_WORDS = 16
# Subjects that are not about the behaviour of code, or about all of it.
_UNINFORMATIVE = re.compile(
    r"\b(?:release|version|bump|merge|revert|typos?|changelog|docs?|documentation|comments?|ci|lint|clippy"
    r"|format(?:ting)?|cleanup|clean up|refactor\w*|deps|dependenc\w+|translations?|copyright|readme|tests?"
    r"|testing|spec|benchmarks?|upgrade|backport\w*|style|chore|build|license|snapshot|wip|master|workflow"
    r"|github|docblock|javadoc|docstring|deprecat\w+)\b|\d+\.\d+\.\d+",
    re.IGNORECASE,
)
# In this order: issue numbers in parentheses, `Fixes #1 -- `, `[area] `, `area(part): `, `, closes #1.`
_TRIMMED = (
    re.compile(r"\s*\(#\d+\)"),
    re.compile(r"^(?:Fixed|Refs|Fixes|Closes|Fix)\s*#\d+(?:,\s*#\d+)*\s*(?:--|:|-)\s*"),
    re.compile(r"^\[[^\]]+\]\s*"),
    re.compile(r"^[\w./,*{} -]{1,40}(?:\([^)]*\))?!?:\s+"),
    re.compile(r"(?:,?\s*\(?(?:fix|close|fixes|closes|refs?|issue)?\s*#\d+\)?)+\.?$"),
)


def query_of(subject: str) -> str | None:
    """The query of a user who wants to make the change, None if the subject is not descriptive."""
    text = subject
    for pattern in _TRIMMED:
        text = pattern.sub("", text)
    text = text.strip()
    descriptive = _MIN_WORDS <= len(text.split()) <= _MAX_WORDS and not _UNINFORMATIVE.search(subject)
    return text if descriptive else None
