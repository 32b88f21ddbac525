"""Answers one folder's searches."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sightline.errors import stop_if
from sightline.search import hits
from sightline.search.cache import QueryCache
from sightline.search.classify import classify
from sightline.search.constants import tuned
from sightline.search.hits import ReadSource
from sightline.search.page import Page, Pager
from sightline.search.pipeline import Pipeline, Question
from sightline.search.query import ParsedQuery, parse
from sightline.search.rerank import Rerank, reranked
from sightline.search.retrieve import content_terms
from sightline.search.trace import Stages, Trace
from sightline.settings import SearchSettings
from sightline.stores.image import Image
from sightline.types import Hit, SearchRequest

Floats = NDArray[np.float32]
EmbedQuery = Callable[[str], Floats | None]

# What of a long query is embedded; the model reads no further anyway.
_MAX_EMBEDDED = 2000


@dataclass(frozen=True, slots=True)
class FolderAnswer:
    """A page of one folder's hits, scores comparable between folders, and how many places there are."""

    hits: tuple[Hit, ...]
    total: int
    cached: bool = False


class Searcher:
    """Searches one image; made anew when the image or the settings are."""

    def __init__(
        self,
        image: Image,
        embed_query: EmbedQuery,
        settings: SearchSettings,
        read_source: ReadSource,
        folder: str = "",
        rerank: Rerank | None = None,
    ) -> None:
        tuning, self.problems = tuned(settings.tuning)
        self._image = image
        self._embed_query = embed_query
        self._settings = settings
        self._read_source = read_source
        self._folder = folder
        self._rerank = rerank
        self._pipeline = Pipeline(image, embed_query, settings, tuning)
        self._pager = Pager(image, settings, tuning, read_source)
        self._cache: QueryCache[Page] = QueryCache(settings.cache_ttl_hours * 3600, tuning.cache_cosine)

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
        page, cached = self._page(question, request, cancelled, stages)
        stop_if(cancelled)
        # Places of one file share its text, which may be another one at the next search.
        read_source = cache(self._read_source)
        shown = tuple(hits.to_hit(self._folder, place, read_source, request.context) for place in page.places)
        stages.report("context", hits=len(shown))
        return FolderAnswer(shown, page.total, cached)

    def _question(self, parsed: ParsedQuery, request: SearchRequest, stages: Stages) -> Question:
        mode = request.mode or self._settings.mode
        intent = classify(parsed.text)
        stages.report("parse", text=parsed.text, kind=intent.kind, names=[name.name for name in intent.names])
        vector = None
        if parsed.text and mode != "keyword":
            vector = self._embed_query(parsed.text[:_MAX_EMBEDDED])
            stages.report("embed", dim=None if vector is None else len(vector))
        # Without a model the words still answer, whatever was asked for.
        return Question(parsed, intent, vector, use_keywords=mode != "semantic" or vector is None)

    def _page(
        self, question: Question, request: SearchRequest, cancelled: Callable[[], bool] | None, stages: Stages
    ) -> tuple[Page, bool]:
        rest = _parameters(question, request)
        words = content_terms(question.parsed.text, question.intent)
        with self._image.guard.reading():
            state = self._state()
            known = self._cache.exact(state, question.parsed.text, rest)
            if known is None:
                known = self._cache.near(state, rest, words, question.vector)
            if known is not None:
                stages.report("cache", found=True)
                return known, True
            page = self._fresh_page(question, request, cancelled, stages)
        page, final = self._second_look(question, request, page, stages)
        if final:
            self._cache.put(state, question.parsed.text, rest, words, question.vector, page)
        return page, False

    def _fresh_page(
        self, question: Question, request: SearchRequest, cancelled: Callable[[], bool] | None, stages: Stages
    ) -> Page:
        if not question.parsed.text:
            return self._pager.listing(question.parsed.filters, request)
        ranking = self._pipeline.rank(question, request.offset + request.limit, stages)
        stop_if(cancelled)
        page = self._pager.page(ranking, question, request)
        stages.report("select", places=len(page.places), total=page.total)
        return page

    def _second_look(
        self, question: Question, request: SearchRequest, page: Page, stages: Stages
    ) -> tuple[Page, bool]:
        """The page as the cross-encoder orders it, if there is one; and whether that is final."""
        if self._rerank is None or request.offset or not page.places or not question.parsed.text:
            return page, True
        top = self._settings.rerank_top
        moved = reranked(self._rerank, question.parsed.text, page.places, self._read_source, top)
        stages.report("rerank", done=moved is not None)
        return (page, False) if moved is None else (Page(moved, page.total), True)

    def _state(self) -> Hashable:
        """Changes whenever an answer could: with the index, its vectors, and their model."""
        space = self._image.space
        embedded = int(np.count_nonzero(self._image.rows["embedded"]))
        return self._image.generation, embedded, space.model if space else ""


def _parameters(question: Question, request: SearchRequest) -> Hashable:
    return (
        question.parsed.filters,
        question.use_keywords,
        question.vector is not None,
        request.limit,
        request.offset,
        request.min_score,
        request.one_per_file,
        request.explain,
    )
