"""How far indexing is, for a progress bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Phase = Literal["scanning", "reading", "embedding"]


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """Files or texts done of how many, and the folder being worked on."""

    root: str
    done: int
    total: int
    phase: Phase
    current: str = ""
    finished: bool = False
