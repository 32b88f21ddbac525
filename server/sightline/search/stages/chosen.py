"""The optional stages, in the order they run; only those that are switched on are chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sightline.embedding.embedder import Embedder
from sightline.search.ranking.constants import Tuning
from sightline.search.ranking.pipeline import Ranking
from sightline.search.results.page import Page
from sightline.search.stages.cross_encoder import CrossEncoder, Rerank
from sightline.search.stages.diversity import diversity
from sightline.search.stages.expansion import Expansion
from sightline.search.stages.fusion import reciprocal_rank, z_score
from sightline.search.stages.near_copies import near_copies_by_text, near_copies_by_vector
from sightline.search.stages.neighbours import neighbours
from sightline.search.stages.recency import recency
from sightline.search.stages.stage import Stage
from sightline.search.stages.wording import wording
from sightline.settings.tree import SearchSettings


class ChosenStages(NamedTuple):
    """The stages of the ranking, which need the index; and those of the page, which may take long."""

    of_ranking: tuple[Stage[Ranking], ...]
    of_page: tuple[Stage[Page], ...]


def chosen_stages(
    settings: SearchSettings, tuning: Tuning, embedder: Callable[[], Embedder | None], rerank: Rerank | None
) -> ChosenStages:
    """The stages that the settings switch on."""
    of_ranking: tuple[tuple[bool, Stage[Ranking]], ...] = (
        (tuning.fusion == 1, reciprocal_rank),
        (tuning.fusion == 2, z_score),
        (tuning.wording > 0, wording),
        (settings.expand_query, Expansion(embedder)),
        (settings.graph, neighbours),
        (settings.recency, recency),
        (tuning.duplicate_cosine > 0, near_copies_by_vector),
        (tuning.duplicate_grams > 0, near_copies_by_text),
        (settings.select == "mmr", diversity),
    )
    of_page = (CrossEncoder(rerank, settings.rerank_top),) if rerank is not None else ()
    return ChosenStages(tuple(stage for on, stage in of_ranking if on), of_page)
