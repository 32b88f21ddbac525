"""Answers one folder's searches."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sightline.errors import stop_if
from sightline.history.subjects import NOTHING, Subjects
from sightline.search.query.classify import Intent, classify
from sightline.search.query.parse_query import ParsedQuery, parse
from sightline.search.query.report import read_report
from sightline.search.ranking.pipeline import Part, Pipeline, Question
from sightline.search.ranking.retrieve import content_terms
from sightline.search.ranking.weights import tuned
from sightline.search.results import hits
from sightline.search.results.cache import QueryCache
from sightline.search.results.hits import ReadSource
from sightline.search.results.page import Page, Pager, reach
from sightline.search.stages.chosen import chosen_stages
from sightline.search.stages.cross_encoder import Rerank, reranked
from sightline.search.stages.stage import Asked
from sightline.search.trace import Stages, Trace
from sightline.settings.tree import SearchSettings
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import Hit, SearchRequest

Floats = NDArray[np.float32]
EmbedQuery = Callable[[str], Floats | None]
ReadHistory = Callable[[], Subjects]

# What of a long query is embedded; the model reads no further anyway.
_MAX_EMBEDDED = 2000


@dataclass(frozen=True, slots=True)
class FolderAnswer:
    """A page of one folder's hits, how many places there are, how sure the best is, and a word on that."""

    hits: tuple[Hit, ...]
    total: int
    cached: bool = False
    confidence: float = 0.0
    note: str = ""


class Searcher:
    """Searches one memory index; made anew when the memory index or the settings are."""

    def __init__(
        self,
        memory: MemoryIndex,
        embed_query: EmbedQuery,
        settings: SearchSettings,
        read_source: ReadSource,
        folder: str = "",
        rerank: Rerank | None = None,
        read_history: ReadHistory = lambda: NOTHING,
    ) -> None:
        self._tuning, weights, self.problems = tuned(settings.tuning)
        self._image = memory
        self._embed_query = embed_query
        self._settings = settings
        self._read_source = read_source
        self._folder = folder
        self._rerank = rerank
        self._read_history = read_history
        self._pipeline = Pipeline(memory, weights, self._tuning)
        self._stages = chosen_stages(settings, self._tuning, embed_query)
        self._pager = Pager(memory, settings)
        self._cache: QueryCache[Page] = QueryCache(settings.cache_ttl_hours * 3600, self._tuning.cache_cosine)

    def search(
        self,
        request: SearchRequest,
        cancelled: Callable[[], bool] | None = None,
        trace: Trace | None = None,
    ) -> FolderAnswer:
        """One page of answers; raises InvalidRequest for a bad query and Cancelled when told to stop."""
        stages = Stages(trace)
        parsed = parse(request.query, request.filters)
        if not parsed.text and not parsed.filters:
            return FolderAnswer((), 0)
        question = self._question(parsed, request, stages)
        stop_if(cancelled)
        page, cached = self._page(parsed, question, request, cancelled, stages)
        stop_if(cancelled)
        # Places of one file share its text, which may be another one at the next search.
        read_source = cache(self._read_source)
        shown = tuple(hits.to_hit(self._folder, place, read_source, request.context) for place in page.places)
        stages.report("context", hits=len(shown))
        return FolderAnswer(shown, page.total, cached, page.confidence, page.note)

    def _question(self, parsed: ParsedQuery, request: SearchRequest, stages: Stages) -> Question:
        mode = request.mode or self._settings.mode
        report = read_report(parsed.lines)
        # Once for the whole search: it may be another one a moment later.
        history = self._read_history()
        texts = [(parsed.text, 1.0)]
        if report is not None and report.title and report.body:
            texts = [(report.title, 1.0), (report.body, self._tuning.report_body)]
        parts = tuple(self._part(text, weight, mode, history) for text, weight in texts)
        stages.report("prepare", kind=parts[0].intent.kind, parts=[part.text for part in parts])
        # Without a model the words still answer, whatever was asked for.
        use_keywords = mode != "semantic" or parts[0].vector is None
        return Question(parts, parsed.filters, use_keywords, report.frames if report else (), history.head)

    def _part(self, text: str, weight: float, mode: str, history: Subjects) -> Part:
        vector = self._embed_query(text[:_MAX_EMBEDDED]) if text and mode != "keyword" else None
        intent = classify(text) if text else Intent("topic")
        return Part(text, intent, vector, weight, history.touched(content_terms(text, intent)))

    def _page(
        self,
        parsed: ParsedQuery,
        question: Question,
        request: SearchRequest,
        cancelled: Callable[[], bool] | None,
        stages: Stages,
    ) -> tuple[Page, bool]:
        rest = _parameters(question, request)
        text, first = parsed.lines, question.parts[0]
        # Texts of many parts are too long to be nearly the same by accident; only equal ones are.
        words = content_terms(parsed.text, first.intent)
        vector = first.vector if len(question.parts) == 1 else None
        with self._image.guard.reading():
            state = self._state()
            known = self._cache.exact(state, text, rest)
            if known is None:
                known = self._cache.near(state, rest, words, vector)
            if known is not None:
                stages.report("cache", found=True)
                return known, True
            page = self._fresh_page(parsed, question, request, cancelled, stages)
        page, final = self._reranked(parsed, request, page, stages)
        if final:
            self._cache.put(state, text, rest, words, vector, page)
        return page, False

    def _fresh_page(
        self,
        parsed: ParsedQuery,
        question: Question,
        request: SearchRequest,
        cancelled: Callable[[], bool] | None,
        stages: Stages,
    ) -> Page:
        if not parsed.text:
            return self._pager.listing(parsed.filters, request)
        ranking = self._pipeline.rank(question, request.offset + request.limit, stages)
        stop_if(cancelled)
        asked = Asked(self._image, question, self._tuning, reach(request), self._read_source)
        for stage in self._stages:
            ranking = stage(ranking, asked)
        page = self._pager.page(ranking, request)
        stages.report("select", places=len(page.places), total=page.total)
        return page

    def _reranked(
        self, parsed: ParsedQuery, request: SearchRequest, page: Page, stages: Stages
    ) -> tuple[Page, bool]:
        """The page as the cross-encoder orders it, if there is one; and whether that is final."""
        if self._rerank is None or request.offset or not page.places or not parsed.text:
            return page, True
        top = self._settings.rerank_top
        moved = reranked(self._rerank, parsed.text, page.places, self._read_source, top)
        stages.report("rerank", done=moved is not None)
        return (page, False) if moved is None else (replace(page, places=moved), True)

    def _state(self) -> Hashable:
        """Changes whenever an answer could: with the index, its vectors, and their model."""
        space = self._image.space
        embedded = int(np.count_nonzero(self._image.rows["embedded"]))
        return self._image.generation, embedded, space.model if space else ""


def _parameters(question: Question, request: SearchRequest) -> Hashable:
    return (
        question.filters,
        question.head,
        question.use_keywords,
        question.parts[0].vector is not None,
        request.limit,
        request.offset,
        request.min_score,
        request.one_per_file,
        request.explain,
    )
