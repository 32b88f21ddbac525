"""Code related to a place: what it calls, what calls and tests it, and similar code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sightline.arrays import Floats
from sightline.embedding.embedder import Embedder
from sightline.errors import stop_if
from sightline.relations.graph import Graph, Site
from sightline.relations.values import FUNCTIONS, TYPE_KINDS
from sightline.relations.world import World
from sightline.search.describe import describe
from sightline.search.mentions import Mention, mention, to_hit
from sightline.search.results import hits
from sightline.search.results.place_facts import facts_of
from sightline.search.results.places import Label
from sightline.search.subject import FileView, Subject
from sightline.search.tests_of import is_test, named_tests, tested_names
from sightline.types import Hit, ReadSource, Source, SymbolInfo

# Ordered by reliability; answers use the same order.
REASONS = (
    "definition", "called by", "calls", "test of", "tested by", "implements", "same name", "similar"
)  # fmt: skip
_SCORES = {"resolved": 1.0, "likely": 0.7}
_NAMESAKE_SCORE = 0.5
# A name with more definitions than this says nothing about any of them.
_MAX_NAMESAKES = 3
_MAX_SIMILAR = 5
# Below this cosine, two chunks are similar only in being code.
_MIN_SIMILAR = 0.4


@dataclass(frozen=True, slots=True)
class _Found:
    """A related place, before any file is read; `slot` is set for a chunk that is merely similar."""

    reason: str
    file: int
    row: int | None = None
    at: tuple[int, int, str] | None = None
    confidence: str = "resolved"
    score: float = 1.0
    slot: int = -1
    why: str = ""


class Related:
    """Answers `related` for one memory index."""

    def __init__(self, world: World, embedder: Callable[[], Embedder | None], folder: str) -> None:
        self._memory = world.memory
        self._embedder = embedder
        self._folder = folder
        self._world = world

    def describe(self, path: str, line: int, column: int, read_source: ReadSource) -> SymbolInfo | None:
        """The symbol named at a position, for a hover."""
        source = read_source(path)
        return describe(self._world, path, source, line, column) if source else None

    def find(
        self,
        path: str,
        line: int,
        column: int,
        read_source: ReadSource,
        limit: int = 10,
        cancelled: Callable[[], bool] | None = None,
        *,
        facts_only: bool = False,
    ) -> list[Hit]:
        """Related places in groups, the most reliable group first; empty for a file that is not indexed.

        With `facts_only`, only resolved relations are listed.
        """
        source = read_source(path)
        with self._memory.guard.reading():
            number = self._memory.file_number(path)
            if number is None or not self._memory.files[number].slots:
                return []
            found = self._relations(number, source, (line, column), lambda: stop_if(cancelled))
            if facts_only:
                found = [each for each in found if each.slot < 0 and each.confidence == "resolved"]
                found = [each for each in found if each.reason != "same name"]
            else:
                found += self._similar(number, line, source, found)
            stop_if(cancelled)
            places = [self._place(each) for each in _round_robin(found, limit)]
        return [self._hit(place, read_source) for place in places]

    def _relations(
        self, number: int, source: Source | None, at: tuple[int, int], stop: Callable[[], None]
    ) -> list[_Found]:
        view = FileView(self._world, number, source)
        subject = view.subject(*at)
        if subject is None:
            return []
        stop()
        found = self._callees(view.graph, subject)
        if subject.row is not None:
            found += self._about(view.graph, subject, subject.row, stop)
        return _deduplicated(found, None if subject.named_elsewhere else subject.row)

    def _about(self, graph: Graph, subject: Subject, row: int, stop: Callable[[], None]) -> list[_Found]:
        """The relations of an indexed definition."""
        about = [_Found("definition", subject.file, row)] if subject.named_elsewhere else []
        about += self._callers(graph, row, stop)
        if not is_test(self._world.path(subject.file)):
            about += [self._whole("test of", each) for each in named_tests(self._world, row)]
        stop()
        about += [self._whole("implements", each) for each in graph.overrides(row)]
        return about + self._namesakes(row)

    def _whole(self, reason: str, row: int) -> _Found:
        return _Found(reason, self._world.file_of(row), row)

    def _callers(self, graph: Graph, row: int, stop: Callable[[], None]) -> list[_Found]:
        """The callers of a definition; a caller in a test counts as its test."""
        own_is_test = is_test(self._world.path(self._world.file_of(row)))
        found = []
        for site in graph.callers(row, stop):
            testing = not own_is_test and is_test(self._world.path(site.file))
            if site.caller != row and (not testing or site.confidence == "resolved"):
                reason = "test of" if testing else "called by"
                found.append(self._site(reason, site, site.file, site.caller))
        return found

    def _site(self, reason: str, site: Site, file: int, row: int | None) -> _Found:
        at = (site.line, site.column, site.name)
        return _Found(reason, file, row, at, site.confidence, _SCORES[site.confidence])

    def _callees(self, graph: Graph, subject: Subject) -> list[_Found]:
        sites = graph.callees(subject.file, subject.scopes)
        tested: set[int] = set()
        if subject.row is not None and is_test(self._world.path(subject.file)):
            tested = tested_names(self._world, subject.row, sites)
        return [
            _Found(
                "tested by" if site.callee in tested else "calls",
                self._world.file_of(site.callee),
                site.callee,
                None,
                site.confidence,
                _SCORES[site.confidence],
                why=f"line {site.line + 1}",
            )
            for site in sites
            if site.callee != subject.row
        ]

    def _namesakes(self, row: int) -> list[_Found]:
        """Other definitions with the same name and category, if there are few."""
        world = self._world
        sort = FUNCTIONS if world.kind_of(row) in FUNCTIONS else TYPE_KINDS
        if world.kind_of(row) not in sort or world.name_of(row).startswith("__"):
            return []
        rows = {world.canonical(each) for each in world.named(world.name_of(row))} - {world.canonical(row)}
        same = sorted(each for each in rows if world.kind_of(each) in sort)
        if len(same) > _MAX_NAMESAKES:
            return []
        return [
            _Found("same name", world.file_of(each), each, None, "resolved", _NAMESAKE_SCORE) for each in same
        ]

    def _similar(
        self, number: int, line: int, source: Source | None, found: Sequence[_Found]
    ) -> list[_Found]:
        """The few chunks most similar to the one around the cursor."""
        memory = self._memory
        slots = [slot for slot in memory.files[number].slots if memory.rows["start_line"][slot] <= line]
        slot = slots[-1] if slots else memory.files[number].slots[0]
        vector = self._vector(slot, source)
        if vector is None or memory.space is None:
            return []
        near, cosines = memory.space.nearest(vector, 4 * _MAX_SIMILAR, None)
        known = {int(memory.symbols.columns["slot"][each.row]) for each in found if each.row is not None}
        contents = {int(memory.rows["content"][each]) for each in known | {slot}}
        alike: list[_Found] = []
        order = np.argsort(-cosines, kind="stable")
        for each, cosine in zip(near[order].tolist(), cosines[order].tolist(), strict=True):
            content = int(memory.rows["content"][each])
            if cosine >= _MIN_SIMILAR and content not in contents and len(alike) < _MAX_SIMILAR:
                contents.add(content)
                file = int(memory.rows["file"][each])
                alike.append(_Found("similar", file, None, None, "", round(min(1.0, cosine), 6), each))
        return alike

    def _vector(self, slot: int, source: Source | None) -> Floats | None:
        """The vector of a chunk's current lines."""
        rows = self._memory.rows
        lines = source.lines[rows["start_line"][slot] : rows["end_line"][slot] + 1] if source else []
        embedder = self._embedder()
        if embedder is None or not any(part.strip() for part in lines):
            return None
        return embedder.embed_query("\n".join(lines))

    def _place(self, found: _Found) -> Mention | hits.Place:
        if found.slot < 0:
            return mention(
                self._memory,
                found.file,
                found.row,
                found.reason,
                at=found.at,
                confidence=found.confidence,
                score=found.score,
                why=found.why,
            )
        # A chunk is shown as it is.
        label = Label(self._symbol_of(found.slot), self._memory.span(found.slot))
        (facts,) = facts_of(self._memory, [(found.slot, label)])
        return hits.to_place(facts, found.score, "semantic", reason=found.reason)

    def _symbol_of(self, slot: int) -> int | None:
        """The row of the symbol that a chunk is named after."""
        symbols, name = self._memory.symbols, self._memory.symbol(slot)
        rows = symbols.of_file(int(self._memory.rows["file"][slot]))
        return next(
            (row for row in rows if symbols.columns["slot"][row] == slot and symbols.name(row) == name), None
        )

    def _hit(self, place: Mention | hits.Place, read_source: ReadSource) -> Hit:
        if isinstance(place, Mention):
            return to_hit(self._folder, place, read_source)
        return hits.to_hit(self._folder, place, read_source, "smart")


def _deduplicated(found: Iterable[_Found], own: int | None) -> list[_Found]:
    """Drop duplicates, keep the more reliable reason; only a place that calls and is called has two."""
    best: dict[object, _Found] = {}
    for each in found:
        if each.row is not None and each.row == own:
            continue
        place = each.row if each.row is not None else each.at and (each.file, each.at[0])
        key = (each.reason == "calls", place)
        known = best.get(key)
        if known is None or _order(each) < _order(known):
            best[key] = each
    return sorted(best.values(), key=_order)


def _order(found: _Found) -> tuple[int, float]:
    return REASONS.index(found.reason), -found.score


def _round_robin(found: Sequence[_Found], limit: int) -> list[_Found]:
    """At most `limit` places, taken from the groups in turn so that no group crowds out another."""
    groups: dict[str, list[_Found]] = {}
    for each in found:
        groups.setdefault(each.reason, []).append(each)
    if len(found) <= limit:
        return [each for reason in REASONS for each in groups.get(reason, ())]
    prepared = dict.fromkeys(groups, 0)
    left = limit
    while left > 0:
        for reason in [each for each in REASONS if each in groups and prepared[each] < len(groups[each])]:
            if left > 0:
                prepared[reason] += 1
                left -= 1
    return [each for reason in REASONS for each in groups.get(reason, ())[: prepared.get(reason, 0)]]
