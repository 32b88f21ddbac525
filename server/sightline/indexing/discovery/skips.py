"""Why a file is not in the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, or a whole folder, that is skipped."""

    path: str
    reason: SkipReason
