"""Merges the answers of several folders into one list."""

from __future__ import annotations

from collections.abc import Sequence

from sightline.types import Hit


def merged(answers: Sequence[Sequence[Hit]], offset: int, limit: int) -> tuple[Hit, ...]:
    """One page of all hits, by score; ties by folder, then in the folder's own order."""
    if len(answers) == 1:
        # A folder's hits are in order.
        return tuple(answers[0][offset : offset + limit])
    ranked = [
        (-hit.score, folder, position, hit)
        for folder, hits in enumerate(answers)
        for position, hit in enumerate(hits)
    ]
    ranked.sort(key=lambda entry: entry[:3])
    return tuple(entry[3] for entry in ranked[offset : offset + limit])
