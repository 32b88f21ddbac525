"""A second look at the best places by a model that reads query and code together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sightline.search.hits import Place, ReadText

Rerank = Callable[[str, Sequence[str]], Sequence[float]]

# A cross-encoder reads a few hundred tokens; more text only costs time.
_MAX_CHARACTERS = 1500


def place_text(place: Place, read_text: ReadText) -> str:
    """The text of a place, as far as it matters."""
    text = read_text(place.path) or ""
    lines = text.splitlines()[place.span[0] : place.span[1] + 1]
    return "\n".join([place.path, *lines])[:_MAX_CHARACTERS]


def reranked(
    rerank: Rerank, query: str, places: tuple[Place, ...], read_text: ReadText, top: int
) -> tuple[Place, ...]:
    """The first `top` places in the model's order; the scores stay where they were, so they still fall."""
    head, tail = places[:top], places[top:]
    if len(head) < 2:
        return places
    opinions = list(rerank(query, [place_text(place, read_text) for place in head]))
    order = sorted(range(len(head)), key=lambda at: (-opinions[at], at))
    moved = tuple(replace(head[at], score=head[rank].score) for rank, at in enumerate(order))
    return moved + tail
