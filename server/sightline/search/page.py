"""From a ranking to one page of places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.search import confidence, dedup, filters, hits, select
from sightline.search.constants import Tuning
from sightline.search.hits import Place, ReadSource
from sightline.search.pipeline import Question, Ranking
from sightline.settings import SearchSettings
from sightline.stores.image import Image
from sightline.types import Filters, MatchType, SearchRequest
from sightline.words import lines_of

Positions = NDArray[np.int64]

# How far beyond the page near-copies are looked for, so that what they leave is filled.
_REACH = 2


@dataclass(frozen=True, slots=True)
class Page:
    """The places of one page, and how many there are on all pages."""

    places: tuple[Place, ...]
    total: int


class Pager:
    """Drops what is said twice, chooses, and takes the page out of the image."""

    def __init__(
        self, image: Image, settings: SearchSettings, tuning: Tuning, read_source: ReadSource
    ) -> None:
        self._image = image
        self._settings = settings
        self._tuning = tuning
        self._read_source = read_source

    def page(self, ranking: Ranking, question: Question, request: SearchRequest) -> Page:
        """The page a request asks for. Call under the image's guard."""
        scores = self._comparable(ranking, question)
        floor = self._settings.min_score if request.min_score is None else request.min_score
        order = ranking.order[scores[ranking.order] >= floor] if floor > 0 else ranking.order
        order = self._without_copies(ranking, order)
        chosen = self._unlike(ranking, self._chosen(ranking, scores, order, request), request)
        shown = chosen[request.offset : request.offset + request.limit]
        # Files-first may put a weaker place before a stronger one; the scores shown still only fall.
        falling = np.minimum.accumulate(scores[chosen])[request.offset : request.offset + request.limit]
        return Page(self._places(ranking, shown, falling, request.explain), len(chosen))

    def listing(self, wanted: Sequence[Filters], request: SearchRequest) -> Page:
        """What the filters alone let through, in the order of the files."""
        ordered = self._by_path(np.flatnonzero(filters.allowed(self._image, wanted)))
        if request.one_per_file:
            ordered = ordered[select.firsts(self._image.rows["file"][ordered])]
        shown = ordered[request.offset : request.offset + request.limit].tolist()
        details = self._image.details(shown)
        places = tuple(
            hits.take(self._image, slot, None, 1.0, "keyword", details.get(slot)) for slot in shown
        )
        return Page(places, len(ordered))

    def _by_path(self, slots: Positions) -> Positions:
        rows, files = self._image.rows, self._image.files
        numbers, owner = np.unique(rows["file"][slots], return_inverse=True)
        place = np.empty(len(numbers), np.int64)
        place[sorted(range(len(numbers)), key=lambda at: files[numbers[at]].path)] = np.arange(len(numbers))
        ordered: Positions = slots[np.lexsort((rows["ordinal"][slots], place[owner]))]
        return ordered

    def _comparable(self, ranking: Ranking, question: Question) -> NDArray[np.float32]:
        defined = max((each.strength for each in ranking.defining.values()), default=0.0)
        sure = confidence.strength(
            ranking.candidates, ranking.terms, defined if question.intent.kind == "symbol" else 0.0
        )
        return confidence.normalised(ranking.scores, sure)

    def _without_copies(self, ranking: Ranking, order: Positions) -> Positions:
        contents = self._image.rows["content"][ranking.candidates.slots[order]]
        kept: Positions = order[select.firsts(contents)]
        return kept

    def _unlike(self, ranking: Ranking, chosen: Positions, request: SearchRequest) -> Positions:
        """Leave near-copies out, as far down as the page reaches."""
        reach = _REACH * (request.offset + request.limit)
        head, rest = chosen[:reach], chosen[reach:]
        slots = ranking.candidates.slots
        if self._tuning.duplicate_cosine > 0 and self._image.space is not None and len(head):
            vectors = self._image.space.chunks.get(slots[head])
            head = head[dedup.unlike_vectors(vectors, self._tuning.duplicate_cosine)]
        if self._tuning.duplicate_grams > 0:
            texts = [self._text(int(slot)) for slot in slots[head]]
            head = head[dedup.unlike_texts(len(texts), texts.__getitem__, self._tuning.duplicate_grams)]
        return np.concatenate([head, rest])

    def _text(self, slot: int) -> str:
        first, last = self._image.rows["start_line"][slot], self._image.rows["end_line"][slot]
        source = self._read_source(self._image.file_of(slot).path)
        return "\n".join(lines_of(source.text)[first : last + 1]) if source else ""

    def _chosen(
        self, ranking: Ranking, scores: NDArray[np.float32], order: Positions, request: SearchRequest
    ) -> Positions:
        files = ranking.grouped.owner[order]
        if request.one_per_file:
            return order[select.firsts(files)]
        if self._settings.select == "mmr":
            return self._varied(ranking, scores, order, request.offset + request.limit)
        if self._settings.select == "cap":
            return order[select.capped(files, self._settings.per_file)]
        return order[select.files_first(files, self._settings.per_file)]

    def _varied(
        self, ranking: Ranking, scores: NDArray[np.float32], order: Positions, count: int
    ) -> Positions:
        if self._image.space is None:
            return order
        space = self._image.space
        slots = ranking.candidates.slots[order]
        picked = select.mmr(
            scores[order].tolist(), lambda: space.chunks.get(slots), count, self._tuning.mmr_balance
        )
        rest = np.setdiff1d(np.arange(len(order)), picked)
        varied: Positions = order[np.concatenate([np.array(picked, np.int64), rest])]
        return varied

    def _places(
        self, ranking: Ranking, shown: Positions, scores: NDArray[np.float32], explain: bool
    ) -> tuple[Place, ...]:
        slots = [int(slot) for slot in ranking.candidates.slots[shown]]
        details = self._image.details(slots)
        places = []
        for position, slot, score in zip(shown.tolist(), slots, scores.tolist(), strict=True):
            meant = ranking.defining.get(slot)
            # A plain word of a sentence may name something by accident; the chunk is shown then.
            if meant is not None and not meant.certain:
                meant = None
            places.append(
                hits.take(
                    self._image,
                    slot,
                    meant.row if meant else None,
                    round(score, 6),
                    _match(ranking, position),
                    details.get(slot),
                    _reasons(ranking, position) if explain else None,
                )
            )
        return tuple(places)


def _match(ranking: Ranking, position: int) -> MatchType:
    by_keyword, by_vector = ranking.candidates.by_keyword[position], ranking.candidates.by_vector[position]
    if by_keyword and by_vector:
        return "both"
    return "semantic" if by_vector else "keyword"


def _reasons(ranking: Ranking, position: int) -> dict[str, Any]:
    """What each stage said of a place."""
    owner = int(ranking.grouped.owner[position])
    parts = {
        name: round(float(values[owner]) * ranking.weights[name], 4)
        for name, values in ranking.signals.items()
    }
    return {
        "file": {name: value for name, value in parts.items() if value},
        "penalty": round(float(ranking.kept[owner]), 4),
        "bm25": round(float(ranking.candidates.keyword[position]), 4),
        "cosine": round(float(ranking.candidates.cosine[position]), 4),
        "score": round(float(ranking.scores[position]), 4),
        "terms": [term.text for term in ranking.terms],
        "kind": ranking.kind,
    }
