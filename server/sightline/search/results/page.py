"""Converts a ranking to one page of places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from typing import Any

import numpy as np

from sightline.arrays import Floats, Integers, firsts
from sightline.search.query import filters
from sightline.search.query.text_patterns import TextPattern
from sightline.search.ranking.pipeline import Evidence, Ranking
from sightline.search.results import confidence, hits, places, reasons, select
from sightline.search.results.hits import Place
from sightline.search.results.landing import Matcher
from sightline.search.results.place_facts import KnownFacts
from sightline.settings.tree import SearchSettings
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import Filters, MatchType, SearchRequest

# Pieces of one function are merged within this many times the places up to the page's end, and at least this
# far.
_REACH = 6
_LEAST_REACH = 60


def reach(request: SearchRequest) -> int:
    """How many of the best candidates get the expensive steps."""
    return max(_LEAST_REACH, _REACH * (request.offset + request.limit))


@dataclass(frozen=True, slots=True)
class Page:
    """The places of one page, the total on all pages, the confidence of the best place, and a note."""

    places: tuple[Place, ...]
    total: int
    confidence: float = 1.0
    note: str = ""
    # Whether the same query would get the same page again, as long as the index does not change.
    final: bool = True


class Pager:
    """Removes duplicates, selects, and copies the page out of the memory index."""

    def __init__(self, memory: MemoryIndex, settings: SearchSettings) -> None:
        self._memory = memory
        self._settings = settings
        self._facts = KnownFacts(memory)

    def page(self, ranking: Ranking, request: SearchRequest, patterns: Sequence[TextPattern] = ()) -> Page:
        """The requested page. The caller must hold the memory index's guard."""
        sure = confidence.of(ranking)
        scores = confidence.normalised(ranking.scores, sure.best)
        floor = self._settings.min_score if request.min_score is None else request.min_score
        # Mostly all are found, because there are vectors to compare.
        order = ranking.order if sure.found.all() else ranking.order[sure.found[ranking.order]]
        order = order[scores[order] >= floor] if floor > 0 else order
        if ranking.kind == "symbol":
            # A place that does not contain the name is no match, however much its file is used. A sentence is
            # more than its words: sorting its weak places last costs 0.009 NDCG@10 of files at changes.
            order = order[np.argsort(sure.weak[order], kind="stable")]
        order = self._distinct(ranking, order, request)
        chosen = self._chosen(ranking, order, request)
        # The cap may put a weaker place before a stronger one; the scores shown must still decrease.
        falling = np.minimum.accumulate(scores.take(chosen))[request.offset :]
        found = self._places(ranking, chosen[request.offset :], falling, sure, request.explain, patterns)
        return Page(found, len(order), sure.best, sure.note)

    def listing(
        self, wanted: Sequence[Filters], request: SearchRequest, patterns: Sequence[TextPattern] = ()
    ) -> Page:
        """All places that pass the filters, in the order of the files."""
        ordered = self._by_path(np.flatnonzero(filters.allowed(self._memory, wanted)))
        if patterns:
            ordered = ordered[firsts(places.place_keys(self._memory, ordered))]
        if request.one_per_file:
            ordered = ordered[firsts(self._memory.rows["file"][ordered])]
        shown = ordered[request.offset : request.offset + request.limit]
        why = f"has {' and '.join(pattern.written for pattern in patterns)}" if patterns else ""
        matcher = Matcher({}, patterns)
        labels = places.labels(self._memory, shown, [None] * len(shown), {})
        facts = self._facts.of(shown.tolist(), labels)
        found = (hits.to_place(each, 1.0, "keyword", why=why, matcher=matcher) for each in facts)
        return Page(tuple(found), len(ordered))

    def _by_path(self, slots: Integers) -> Integers:
        rows, files = self._memory.rows, self._memory.files
        numbers, owner = np.unique(rows["file"][slots], return_inverse=True)
        place = np.empty(len(numbers), np.int64)
        paths = [files.path(number) for number in numbers.tolist()]
        place[sorted(range(len(paths)), key=paths.__getitem__)] = np.arange(len(paths))
        ordered: Integers = slots[np.lexsort((rows["ordinal"][slots], place[owner]))]
        return ordered

    def _distinct(self, ranking: Ranking, order: Integers, request: SearchRequest) -> Integers:
        """Keep equal content once, the pieces of one function once within reach; or one place per file."""
        slots, count = ranking.candidates.slots, reach(request)
        order = order.take(firsts(self._memory.rows["content"].take(slots.take(order))))
        kept = firsts(places.place_keys(self._memory, slots.take(order[:count])))
        order = np.concatenate([order.take(kept), order[count:]])
        return order.take(firsts(ranking.grouped.owner.take(order))) if request.one_per_file else order

    def _chosen(self, ranking: Ranking, order: Integers, request: SearchRequest) -> Integers:
        """The places up to the end of the page."""
        end = request.offset + request.limit
        if request.one_per_file:
            return order[:end]
        choose = select.files_first if self._settings.select == "files" else select.capped
        files: list[int] = ranking.grouped.owner.take(order).tolist()
        return order[list(islice(choose(files, self._settings.per_file), end))]

    def _places(
        self,
        ranking: Ranking,
        shown: Integers,
        scores: Floats,
        sure: confidence.Confidence,
        explain: bool,
        patterns: Sequence[TextPattern],
    ) -> tuple[Place, ...]:
        slots = ranking.candidates.slots[shown]
        terms = {term.text: term.idf for term in ranking.terms}
        matcher = Matcher(terms, patterns)
        named = [_defined_row(ranking, slot) for slot in slots.tolist()]
        labels = places.labels(self._memory, slots, named, terms)
        columns = (
            self._facts.of(slots.tolist(), labels),
            scores.tolist(),
            _matches(ranking, shown),
            [_explained(ranking, position) if explain else None for position in shown.tolist()],
            reasons.why(ranking, shown),
            sure.weak.take(shown).tolist(),
        )
        return tuple(
            hits.to_place(
                facts, round(score, 6), match, explain=explained, why=why, weak=weak, matcher=matcher
            )
            for facts, score, match, explained, why, weak in zip(*columns, strict=True)
        )


def _defined_row(ranking: Ranking, slot: int) -> int | None:
    """The definition in a chunk that the query names; a plain word may match a name by accident."""
    defined = ranking.defining.get(slot)
    return defined.row if defined and defined.certain else None


def _matches(ranking: Ranking, positions: Integers) -> list[MatchType]:
    """What found each of some places: words, meaning or both."""
    found = [each.candidates for each in ranking.evidence]
    by_keyword = reduce(np.logical_or, (each.by_keyword.take(positions) for each in found))
    by_vector = reduce(np.logical_or, (each.by_vector.take(positions) for each in found))
    return [
        ("both" if keyword else "semantic") if vector else "keyword"
        for keyword, vector in zip(by_keyword.tolist(), by_vector.tolist(), strict=True)
    ]


def _explained(ranking: Ranking, position: int) -> dict[str, Any]:
    """The signals of a place, with the contribution of each."""
    first = ranking.evidence[0]
    return {
        "kind": ranking.kind,
        "score": round(float(ranking.scores[position]), 4),
        "signals": _worth(first, position),
        "penalty": round(1.0 - float(first.kept[position]), 4),
        "bm25": round(float(first.candidates.keyword[position]), 4),
        "cosine": round(float(first.candidates.cosine[position]), 4),
        "terms": [term.text for term in ranking.terms],
    }


def _worth(evidence: Evidence, position: int) -> dict[str, float]:
    worth = {
        name: round(float(values[position]) * evidence.weights[name], 4)
        for name, values in evidence.signals.items()
    }
    return dict(sorted(((name, value) for name, value in worth.items() if value), key=lambda each: -each[1]))
