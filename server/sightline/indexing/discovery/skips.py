"""Why a file is not in the index."""

from __future__ import annotations

from typing import Literal, NamedTuple

SkipReason = Literal[
    "ignored",
    "excluded",
    "noise",
    "secret",
    "binary",
    "minified",
    "lockfile",
    "too large",
    "outside",
    "duplicate",
    "unreadable",
]


class Skipped(NamedTuple):
    """A file, or a whole folder, that is skipped."""

    path: str
    reason: SkipReason
