"""Reranks the best places by a model that reads query and code together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sightline.search.results.hits import Place
from sightline.types import ReadSource
from sightline.words import lines_of

Rerank = Callable[[str, Sequence[str]], Sequence[float] | None]

# A cross-encoder reads a few hundred tokens; more text only costs time.
_MAX_CHARACTERS = 1500


def place_text(place: Place, read_source: ReadSource) -> str:
    """The text of a place, limited to what the model reads."""
    source = read_source(place.path)
    lines = lines_of(source.text)[place.span[0] : place.span[1] + 1] if source else []
    return "\n".join([place.path, *lines])[:_MAX_CHARACTERS]


def reranked(
    rerank: Rerank, query: str, places: tuple[Place, ...], read_source: ReadSource, top: int
) -> tuple[Place, ...] | None:
    """The first `top` places in the model's order, None while there is no model; the scores do not move."""
    head, tail = places[:top], places[top:]
    opinions = rerank(query, [place_text(place, read_source) for place in head])
    if opinions is None:
        return None
    order = sorted(range(len(head)), key=lambda at: (-opinions[at], at))
    return tuple(replace(head[at], score=head[rank].score) for rank, at in enumerate(order)) + tail
