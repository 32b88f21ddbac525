"""The way of a query over one index: retrieve, weigh, order."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.search import definitions, graph, noise, rank, retrieve, signals
from sightline.search.classify import Intent
from sightline.search.constants import Tuning
from sightline.search.definitions import Definition, FoldedNames
from sightline.search.expand import WordVectors, expanded
from sightline.search.facts import Facts, stem_of
from sightline.search.filters import Masks
from sightline.search.query import ParsedQuery
from sightline.search.retrieve import Candidates, Term
from sightline.search.signals import Grouped, PathSignals
from sightline.search.trace import Stages
from sightline.search.usage import Usage
from sightline.settings import SearchSettings
from sightline.stores.image import Image
from sightline.words import fold

Floats = NDArray[np.float32]

# How many places are ranked for each one that is wanted, so that later pages are as good as the first.
_OVERFETCH = 5


class Derived:
    """What searches work out of an image and keep; it follows the image as files come and go."""

    def __init__(self) -> None:
        self.facts = Facts()
        self.folded = FoldedNames()
        self.usage = Usage()
        self.masks = Masks()


@dataclass(frozen=True, slots=True)
class Question:
    """A query taken apart: free text, filters, intent and its vector, None without one."""

    parsed: ParsedQuery
    intent: Intent
    vector: Floats | None
    use_keywords: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates with everything that was found out about them; `order` is best first."""

    candidates: Candidates
    grouped: Grouped
    scores: Floats
    order: NDArray[np.int64]
    signals: dict[str, Floats]
    weights: dict[str, float]
    kept: Floats
    defining: dict[int, Definition]
    terms: tuple[Term, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was gathered about a query before it is weighed."""

    candidates: Candidates
    grouped: Grouped
    paths: PathSignals
    definitions: Sequence[Definition]
    coverage: Floats
    terms: tuple[Term, ...]
    linked: Mapping[int, float]


def _named_files(image: Image, share: Floats, keyword: Floats | None, count: int) -> list[int]:
    """A slot of each file whose path has most of the query: its best by keyword, or its first."""
    names = np.flatnonzero(share > 0)
    best = names[np.argsort(-share[names], kind="stable")][:count]
    found = []
    for number in best:
        slots = image.files[number].slots
        if slots:
            found.append(slots[int(np.argmax(keyword[slots]))] if keyword is not None else slots[0])
    return found


def _definition_signal(evidence: Evidence, symbol: bool) -> dict[int, float]:
    """By file: for a symbol query the best definition, else each name by its share of the query."""
    if symbol:
        return definitions.best_by(evidence.definitions, "file")
    best: dict[tuple[int, str], float] = {}
    for each in evidence.definitions:
        key = (each.file, each.name)
        best[key] = max(best.get(key, 0.0), each.worth())
    of_file: dict[int, float] = {}
    for (file, _), value in best.items():
        of_file[file] = min(1.0, of_file.get(file, 0.0) + value)
    return of_file


def _stem_definitions(image: Image, found: Sequence[Definition]) -> dict[int, float]:
    """By file: the best definition whose name is the file's own."""
    own = [each for each in found if fold(each.name) == fold(stem_of(image.files[each.file].path))]
    return definitions.best_by(own, "file")


def _spread(by_place: Mapping[int, float], places: NDArray[np.int64]) -> Floats:
    """A value for each place; the places are ascending, and only a few of them have one."""
    values = np.zeros(len(places), np.float32)
    if by_place and len(places):
        wanted = np.fromiter(by_place, np.int64, len(by_place))
        at = np.minimum(np.searchsorted(places, wanted), len(places) - 1)
        found = places[at] == wanted
        values[at[found]] = np.fromiter(by_place.values(), np.float32, len(by_place))[found]
    return values


def _order(candidates: Candidates, scores: Floats) -> NDArray[np.int64]:
    """Best first; equal scores go to keyword matches, then to the earlier slot."""
    return np.lexsort((candidates.slots, ~candidates.by_keyword, -scores)).astype(np.int64)


class Pipeline:
    """Ranks the places of one image; call it under the image's guard."""

    def __init__(
        self,
        image: Image,
        embed_query: Callable[[str], Floats | None],
        settings: SearchSettings,
        tuning: Tuning,
    ) -> None:
        self._image = image
        self._settings = settings
        self._tuning = tuning
        self._derived = Derived()
        self._words = WordVectors(embed_query)

    def rank(self, question: Question, wanted: int, stages: Stages) -> Ranking:
        """Every candidate place in order, enough for the first `wanted` of them."""
        pool = max(int(self._tuning.pool), _OVERFETCH * wanted)
        ranking = self._ranked(question, pool, stages, {})
        if self._settings.graph and len(ranking.order):
            ranking = self._ranked(question, pool, stages, self._linked(ranking))
            stages.report("graph")
        return ranking

    def _linked(self, ranking: Ranking) -> dict[int, float]:
        """The neighbours of the best places, with what leads to them as a share of the best score."""
        best = ranking.order[: int(self._tuning.graph_sources)]
        top = float(ranking.scores[best[0]]) or 1.0
        sources = [(int(ranking.candidates.slots[at]), float(ranking.scores[at]) / top) for at in best]
        return graph.spread(self._image, sources, int(self._tuning.graph_max_degree))

    def _terms(self, question: Question, stages: Stages) -> tuple[list[Term], list[Term]]:
        """The terms of the query, and those that expansion adds to retrieval."""
        terms = retrieve.query_terms(self._image, question.parsed.text, question.intent, self._tuning)
        added: list[Term] = []
        if self._settings.expand_query and question.vector is not None and question.intent.kind != "symbol":
            added = expanded(self._image, self._words, terms, question.vector, self._tuning)
        stages.report("terms", terms=[term.text for term in terms], added=[term.text for term in added])
        return terms, added

    def _ranked(self, question: Question, pool: int, stages: Stages, linked: Mapping[int, float]) -> Ranking:
        tuning = self._tuning
        evidence = self._evidence(question, pool, stages, linked)
        spoken = self._signals(question, evidence)
        weighed = rank.weights(question.intent, tuning, keywords=question.use_keywords)
        kept = self._kept(evidence.grouped, question.parsed.text)
        defining = {each.slot: each for each in sorted(evidence.definitions, key=Definition.worth)}
        strengths = _spread(
            {slot: each.worth() for slot, each in defining.items()}, evidence.candidates.slots
        )
        of_chunks = rank.chunk_scores(evidence.candidates, strengths, tuning)
        of_files = rank.file_scores(spoken, weighed, kept)
        scores = rank.places(evidence.grouped, of_files, of_chunks, tuning)
        stages.report("rank", files=len(evidence.grouped.files))
        return Ranking(
            evidence.candidates,
            evidence.grouped,
            scores,
            _order(evidence.candidates, scores),
            spoken,
            weighed,
            kept,
            defining,
            evidence.terms,
            question.intent.kind,
        )

    def _evidence(
        self, question: Question, pool: int, stages: Stages, linked: Mapping[int, float]
    ) -> Evidence:
        """Everything found out about a query before it is weighed."""
        image, tuning = self._image, self._tuning
        self._derived.facts.follow(image)
        allowed = self._derived.masks.allowed(image, question.parsed.filters)
        terms, added = self._terms(question, stages)
        keyword = retrieve.keyword_scores(image, [*terms, *added], allowed) if question.use_keywords else None
        paths = PathSignals(self._derived.facts, terms, len(image.files))
        found = self._definitions(question, terms)
        brought = [each.slot for each in found] + [*linked]
        brought += _named_files(image, paths.share, keyword, int(tuning.path_pool))
        candidates = retrieve.gather(
            image, keyword, question.vector, allowed, np.array(brought, np.int64), pool
        )
        stages.report("retrieve", candidates=len(candidates.slots), definitions=len(found))
        covered = retrieve.coverage(image, terms, candidates.slots) ** np.float32(tuning.coverage_power)
        grouped = signals.group(image.rows["file"], candidates)
        return Evidence(candidates, grouped, paths, found, covered, tuple(terms), linked)

    def _definitions(self, question: Question, terms: Sequence[Term]) -> list[Definition]:
        idf = {term.text: term.idf for term in terms}
        text, intent = question.parsed.text, question.intent
        return definitions.find(self._image, self._derived.folded, text, intent, idf, self._tuning)

    def _kept(self, grouped: Grouped, text: str) -> Floats:
        """What penalties leave of each file's score, and what recency adds."""
        kept = rank.kept_share(
            self._derived.facts.roles[grouped.files], noise.asked_roles(text), self._tuning
        )
        if self._settings.recency:
            times = np.array([self._image.files[file].mtime_ns for file in grouped.files], np.float64)
            kept = kept * rank.fresh(times, time.time_ns(), self._tuning)
        return kept

    def _signals(self, question: Question, evidence: Evidence) -> dict[str, Floats]:
        image, tuning, grouped = self._image, self._tuning, evidence.grouped
        files, candidates = grouped.files, evidence.candidates
        telling = np.float32(rank.telling(len(evidence.terms), tuning))
        keyword = signals.decayed_sum(
            grouped, candidates.keyword, int(tuning.keyword_chunks), tuning.keyword_decay
        )
        found = {
            "keyword": signals.scaled(keyword, tuning),
            "coverage": signals.best_of(grouped, evidence.coverage) * telling,
            "path_share": evidence.paths.share[files],
            "stem_precision": evidence.paths.precision()[files],
            "stem_order": evidence.paths.whole_stem()[files],
            "usage": self._derived.usage.of(image, files),
            "definition": _spread(_definition_signal(evidence, question.intent.kind == "symbol"), files),
            "definition_stem": _spread(_stem_definitions(image, evidence.definitions), files),
        }
        if question.vector is not None and image.space is not None:
            semantic = signals.mean_of_best(grouped, candidates.cosine, int(tuning.semantic_chunks))
            signature = image.space.files.cosines(question.vector, files)
            found["semantic"] = signals.scaled(semantic, tuning, cosine=True)
            found["signature"] = signals.scaled(signature, tuning, cosine=True)
        if evidence.linked:
            by_file: dict[int, float] = {}
            for slot, value in evidence.linked.items():
                file = int(image.rows["file"][slot])
                by_file[file] = max(by_file.get(file, 0.0), value)
            found["graph"] = _spread(by_file, files)
        return found
