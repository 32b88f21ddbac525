"""The optional stages, in the order they run; a pipeline contains only those that are switched on."""

from __future__ import annotations

from collections.abc import Callable

from sightline.embedding.embedder import Embedder
from sightline.search.ranking.constants import Tuning
from sightline.search.stages.diversity import diversity
from sightline.search.stages.expansion import Expansion
from sightline.search.stages.near_copies import near_copies_by_text, near_copies_by_vector
from sightline.search.stages.neighbours import neighbours
from sightline.search.stages.recency import recency
from sightline.search.stages.stage import Stage
from sightline.search.stages.wording import wording
from sightline.settings.tree import SearchSettings


def chosen_stages(
    settings: SearchSettings, tuning: Tuning, embedder: Callable[[], Embedder | None]
) -> tuple[Stage, ...]:
    """The stages that the settings switch on."""
    every: tuple[tuple[bool, Stage], ...] = (
        (tuning.wording > 0, wording),
        (settings.expand_query, Expansion(embedder)),
        (settings.graph, neighbours),
        (settings.recency, recency),
        (tuning.duplicate_cosine > 0, near_copies_by_vector),
        (tuning.duplicate_grams > 0, near_copies_by_text),
        (settings.select == "mmr", diversity),
    )
    return tuple(stage for on, stage in every if on)
