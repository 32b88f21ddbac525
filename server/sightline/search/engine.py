"""Runs the searches of one folder."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple

from sightline.embedding.embedder import Embedder
from sightline.errors import stop_if
from sightline.history.subjects import NOTHING, Subjects
from sightline.search.fair_lock import FairLock
from sightline.search.query.classify import informative_terms
from sightline.search.query.prepared_query import PreparedQuery, QueryText
from sightline.search.query.scopes import SearchScope, resolved
from sightline.search.query.text_patterns import ExactText, TextPattern
from sightline.search.ranking.pipeline import Part, Pipeline, Question
from sightline.search.ranking.weights import tuned
from sightline.search.results import hits
from sightline.search.results.cache import QueryCache
from sightline.search.results.page import Page, Pager
from sightline.search.stages.chosen import chosen_stages
from sightline.search.stages.cross_encoder import Rerank
from sightline.search.stages.stage import StageInput
from sightline.search.text_filter import TextFilter
from sightline.search.trace import StageLog, Trace
from sightline.settings.tree import SearchSettings
from sightline.stores.memory.memory_index import MOST_SIGNATURES, MemoryIndex
from sightline.types import Filters, Hit, ReadSource, SearchRequest, Source

# Returns the model whose vectors are in use, or None while there is none.
GetEmbedder = Callable[[], Embedder | None]
ReadHistory = Callable[[], Subjects]

EVERYWHERE = SearchScope()
# Takes about half a millisecond, for which a search may have to wait.
_SIGNATURES_AT_ONCE = 200
# The texts of so many chunks are two or three megabytes.
_MOST_READ_AHEAD = 4000
# Ranking is hundreds of short array operations, each of which gives up the interpreter lock and has to get it
# back. Four searches at once use twice the processor time for fewer answers than one after the other.
_ONE_AT_A_TIME = FairLock()


class FolderAnswer(NamedTuple):
    """A page of one folder's hits, the total number of places, the confidence of the best hit, and a note."""

    hits: tuple[Hit, ...]
    total: int
    cached: bool = False
    confidence: float = 0.0
    note: str = ""


class _Sources(dict[str, Source | None]):
    """The texts that one search has read, by path; takes a fraction of what `functools.cache` costs."""

    def __init__(self, read: ReadSource) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, path: str) -> Source | None:
        source = self[path] = self._read(path)
        return source


class Searcher:
    """Searches one memory index; created again when the memory index or the settings change."""

    def __init__(
        self,
        memory: MemoryIndex,
        embedder: GetEmbedder,
        settings: SearchSettings,
        folder: str = "",
        rerank: Rerank | None = None,
        read_history: ReadHistory = lambda: NOTHING,
    ) -> None:
        self._tuning, weights, self.problems = tuned(settings.tuning)
        # Whether anything was searched for, by a user or in a rehearsal.
        self.used = False
        self._memory = memory
        self._embedder = embedder
        self._settings = settings
        self._folder = folder
        self._read_history = read_history
        self._pipeline = Pipeline(memory, weights, self._tuning)
        self._text_filter = TextFilter(memory)
        self._stages = chosen_stages(settings, self._tuning, embedder, rerank)
        self._pager = Pager(memory, settings)
        self._cache: QueryCache[Page] = QueryCache(settings.cache_ttl_hours * 3600, self._tuning.cache_cosine)

    def search(
        self,
        query: PreparedQuery,
        read_source: ReadSource,
        cancelled: Callable[[], bool] | None = None,
        trace: Trace | None = None,
        scope: SearchScope = EVERYWHERE,
    ) -> FolderAnswer:
        """One page of hits; raises Cancelled when the caller cancels."""
        self.used = True
        return self._answer(query, read_source, cancelled, StageLog(trace), scope)

    def rehearse(self, query: PreparedQuery, read_source: ReadSource) -> None:
        """Search for nobody; raises Cancelled as soon as somebody searches."""
        self._answer(query, read_source, lambda: self.used, StageLog(None), EVERYWHERE)

    def read_signatures(self) -> None:
        """Read the signatures of an index with few symbols; raises Cancelled as soon as somebody searches."""
        memory = self._memory
        if memory.symbols.live > MOST_SIGNATURES // 2:
            return
        rows = memory.symbols.alive().tolist()
        for start in range(0, len(rows), _SIGNATURES_AT_ONCE):
            stop_if(lambda: self.used)
            with memory.guard.reading():
                memory.signatures(rows[start : start + _SIGNATURES_AT_ONCE])

    def read_texts(self, read_source: ReadSource) -> None:
        """Read the texts of a small index, which are kept; raises Cancelled as soon as somebody searches."""
        memory = self._memory
        if memory.live > _MOST_READ_AHEAD:
            return
        with memory.guard.reading():
            paths = [memory.files.path(number) for number in memory.files.numbers()]
        for path in paths:
            stop_if(lambda: self.used)
            read_source(path)

    def _answer(
        self,
        query: PreparedQuery,
        read_source: ReadSource,
        cancelled: Callable[[], bool] | None,
        log: StageLog,
        scope: SearchScope,
    ) -> FolderAnswer:
        if query.empty:
            return FolderAnswer((), 0)
        # Hits in the same file share one read of its text; the next search reads the file again.
        read_source = _Sources(read_source).__getitem__
        query, note = self._narrowed(query, scope, read_source, cancelled, log)
        question = self._question(query, log)
        stop_if(cancelled)
        page, cached = self._page(query, question, read_source, cancelled, log)
        stop_if(cancelled)
        context = query.request.context
        shown = tuple(hits.to_hit(self._folder, place, read_source, context) for place in page.places)
        log.report("context", hits=len(shown))
        return FolderAnswer(shown, page.total, cached, page.confidence, note or page.note)

    def _narrowed(
        self,
        query: PreparedQuery,
        scope: SearchScope,
        read_source: ReadSource,
        cancelled: Callable[[], bool] | None,
        log: StageLog,
    ) -> tuple[PreparedQuery, str]:
        """Resolve the query's scopes and exact texts into filters; returns the new query and a note."""
        if not query.parsed.filters and not query.parsed.patterns:
            return query, ""
        parsed = replace(query.parsed, filters=resolved(query.parsed.filters, scope.scopes))
        note = ""
        if parsed.patterns:
            look_in = (parsed.patterns, parsed.filters, read_source, scope.open_files)
            found = self._text_filter.find(*look_in, cancelled)
            log.report("match", files=len(found.matches.starts), note=found.note)
            note = found.note or ("" if found.matches.starts else _no_match_note(parsed.patterns))
            parsed = replace(parsed, filters=(*parsed.filters, Filters(matches=found.matches)))
        return replace(query, parsed=parsed), note

    def _question(self, query: PreparedQuery, log: StageLog) -> Question:
        mode = query.request.mode or self._settings.mode
        embedder = None if mode == "keyword" else self._embedder()
        # Read the history once per search: it can change while the search runs.
        history = self._read_history()
        weights = (1.0, self._tuning.report_body)
        parts = tuple(
            _part(text, weight, embedder, history) for text, weight in zip(query.texts, weights, strict=False)
        )
        log.report("prepare", kind=parts[0].intent.kind, parts=[part.text for part in parts])
        # Without a model, fall back to keywords whatever mode was requested.
        use_keywords = mode != "semantic" or parts[0].vector is None
        return Question(parts, query.parsed.filters, use_keywords, query.frames, history.head)

    def _page(
        self,
        query: PreparedQuery,
        question: Question,
        read_source: ReadSource,
        cancelled: Callable[[], bool] | None,
        log: StageLog,
    ) -> tuple[Page, bool]:
        inputs = StageInput(self._memory, self._tuning, query, read_source, log)
        if query.parsed.patterns:
            # Matches depend on unsaved text, whose changes the cache cannot see: do not cache them.
            with _ONE_AT_A_TIME, self._memory.guard.reading():
                page = self._fresh_page(question, inputs, cancelled)
            return self._finished(page, inputs), False
        rest = _parameters(question, query.request)
        text, first = query.parsed.lines, question.parts[0]
        # A query of several parts is long; only an identical one may reuse its answer, not a similar one.
        words = frozenset(informative_terms(query.parsed.text, first.intent))
        vector = first.vector if len(question.parts) == 1 else None
        with self._memory.guard.reading():
            state = self._state()
            known = self._cache.exact(state, text, rest)
            if known is None:
                known = self._cache.near(state, rest, words, vector)
        if known is not None:
            log.report("cache", found=True)
            return known, True
        with _ONE_AT_A_TIME, self._memory.guard.reading():
            state = self._state()
            page = self._fresh_page(question, inputs, cancelled)
        page = self._finished(page, inputs)
        if page.final:
            self._cache.put(state, text, rest, words, vector, page)
        return page, False

    def _fresh_page(
        self, question: Question, inputs: StageInput, cancelled: Callable[[], bool] | None
    ) -> Page:
        # It may have been cancelled while others were ranked.
        stop_if(cancelled)
        request, parsed = inputs.query.request, inputs.query.parsed
        if not parsed.text:
            return self._pager.listing(parsed.filters, request, parsed.patterns)
        ranking = self._pipeline.rank(question, request.offset + request.limit, inputs.log)
        stop_if(cancelled)
        for stage in self._stages.of_ranking:
            ranking = stage(ranking, inputs)
        page = self._pager.page(ranking, request, parsed.patterns)
        inputs.log.report("select", places=len(page.places), total=page.total)
        return page

    def _finished(self, page: Page, inputs: StageInput) -> Page:
        """The page after the stages that do not need the index, so that they do not delay its writer."""
        for stage in self._stages.of_page:
            page = stage(page, inputs)
        return page

    def _state(self) -> Hashable:
        """The state an answer depends on: the index, its vectors, and their model."""
        space = self._memory.space
        vectors, model = (space.chunks.count, space.model) if space else (0, "")
        return self._memory.generation, vectors, model


def _part(text: QueryText, weight: float, embedder: Embedder | None, history: Subjects) -> Part:
    vector = text.vector(embedder) if embedder is not None and text.text else None
    return Part(text.text, text.intent, text.pasted, vector, weight, history.touched(text.terms))


def _no_match_note(patterns: Sequence[TextPattern]) -> str:
    wanted = " and ".join(pattern.written for pattern in patterns)
    hint = "; without quotes its words are searched for" if isinstance(patterns[0], ExactText) else ""
    return f"No place contains {wanted}{hint}."


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
