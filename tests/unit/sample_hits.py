"""A sample hit that tests modify."""

from __future__ import annotations

from typing import Any

from sightline.types import Hit, Snippet

_HIT = Hit(
    folder="/w",
    path="a.py",
    language="python",
    start_line=3,
    end_line=5,
    score=0.5,
    match="both",
    symbol=None,
    context_start=2,
    context_end=6,
    snippet=Snippet("text", 2, False),
)


def sample_hit(**changes: Any) -> Hit:
    """A hit on lines 3 to 5 of a file, with the given fields replaced."""
    return _HIT._replace(**changes)
