"""The ranking of one index: retrieve candidates, compute their signals, weigh them, sort."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline import file_roles
from sightline.arrays import Floats, Integers, Mask, falling
from sightline.history.subjects import Touch
from sightline.search.query.classify import Intent, QueryKind
from sightline.search.query.filters import Masks
from sightline.search.query.traces import Frame
from sightline.search.ranking import definitions, frames, name_signals, retrieve, signals
from sightline.search.ranking.constants import Tuning
from sightline.search.ranking.definitions import NameMatch, Nesting
from sightline.search.ranking.file_signals import Grouped, PathSignals, group
from sightline.search.ranking.retrieve import Candidates, Nearest, Term
from sightline.search.ranking.weights import Weights, WeightTables
from sightline.search.trace import StageLog
from sightline.stores.memory.matching import Matching
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.top_documents import top_documents
from sightline.types import Filters

# How many places are ranked for each requested one, so that later pages are as good as the first.
_OVERFETCH = 5
_TEST_MODULES = ("test", "tests")
_PATH_SIGNALS = ("path_share", "stem_precision", "stem_order")
_VECTOR_SIGNALS = ("cosine", "cosine_gap", "file_cosine", "file_names")


@dataclass(frozen=True, slots=True)
class Part:
    """One text to search for, its weight relative to the others, and its vector, if any.

    `history` maps a path to the evidence from past commits with a similar subject; `pasted` says that the
    text is a message of a program.
    """

    text: str
    intent: Intent
    pasted: bool
    vector: Floats | None
    weight: float = 1.0
    history: Mapping[str, Touch] = field(default_factory=dict)


class Question(NamedTuple):
    """An analysed query: its texts, the most important first, filters, and the frames of a stack trace."""

    parts: tuple[Part, ...]
    filters: tuple[Filters, ...]
    use_keywords: bool
    frames: tuple[Frame, ...] = ()
    # The commit up to which the history was read.
    head: str = ""

    @property
    def kind(self) -> QueryKind:
        """The kind of the whole query."""
        return "report" if len(self.parts) > 1 else self.parts[0].intent.kind


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything known about the candidates for one text."""

    part: Part
    terms: tuple[Term, ...]
    candidates: Candidates
    grouped: Grouped
    definitions: tuple[NameMatch, ...]
    # By name; those that count for no place may be missing.
    signals: dict[str, Floats]
    weights: dict[str, float]
    # The roles that lower each candidate's score, as flags.
    roles: NDArray[np.int32]
    kept: Floats
    uses_keywords: bool
    # By file number, the past commits that support the file.
    touched: Mapping[int, Touch] = field(default_factory=dict)

    def scores(self) -> Floats:
        """The weighted sum of the signals, minus the penalties for the roles of the file."""
        used = [name for name in self.signals if self.weights[name]]
        if not used:
            return np.zeros(len(self.kept), np.float32)
        weights = np.array([self.weights[name] for name in used], np.float32)
        values = np.concatenate([self.signals[name] for name in used]).reshape(len(used), -1)
        # No product of matrices: its rounding depends on the position, but equal candidates score equally.
        total: Floats = np.add.reduce(weights[:, None] * values) * self.kept
        return total


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates with everything known about them; `order` is best first."""

    candidates: Candidates
    grouped: Grouped
    scores: Floats
    order: Integers
    evidence: tuple[Evidence, ...]
    defining: dict[int, NameMatch]
    framed: dict[int, float]
    kind: QueryKind

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of all texts, without duplicates."""
        found: dict[str, Term] = {}
        for each in self.evidence:
            for term in each.terms:
                found.setdefault(term.text, term)
        return tuple(found.values())


def ordered(candidates: Candidates, scores: Floats) -> Integers:
    """Best first; ties go to keyword matches, then to the lower slot."""
    # The slots are ascending. As no two numbers are equal, they are sorted instead of their positions, which
    # takes a third of the time.
    places = (~candidates.by_keyword).astype(np.int64) << 31 | np.arange(len(scores))
    keys = falling(scores) << 32 | places
    keys.sort()
    ordered: Integers = keys & 0x7FFFFFFF
    return ordered


class _Lookup(NamedTuple):
    """The lookups for one text, before scoring."""

    terms: tuple[Term, ...]
    matching: Matching
    paths: PathSignals
    definitions: tuple[NameMatch, ...]
    nearest: Nearest
    slots: tuple[Integers, ...]


class Pipeline:
    """Ranks the places of one memory index; the caller must hold the memory index's guard."""

    def __init__(self, memory: MemoryIndex, weights: Weights, tuning: Tuning) -> None:
        self._memory = memory
        self._weights = WeightTables(weights)
        self._tuning = tuning
        self._masks = Masks()
        self._nesting = Nesting()

    def rank(self, question: Question, wanted: int, log: StageLog) -> Ranking:
        """All candidate places in order, enough for the first `wanted` of them."""
        evidence, framed = self.evidence(question, max(int(self._tuning.pool), _OVERFETCH * wanted), log)
        candidates = evidence[0].candidates
        scores = combined(evidence, framed, self._tuning)
        found = [each for part in evidence for each in part.definitions]
        log.report("rank", files=len(evidence[0].grouped.files))
        return Ranking(
            candidates,
            evidence[0].grouped,
            scores,
            ordered(candidates, scores),
            evidence,
            {each.slot: each for each in sorted(found, key=attrgetter("worth"))},
            framed,
            question.kind,
        )

    def evidence(
        self, question: Question, pool: int, log: StageLog
    ) -> tuple[tuple[Evidence, ...], dict[int, float]]:
        """The evidence for all candidates, by text; and the slots that a stack trace names."""
        memory = self._memory
        memory.paths.follow(memory.files)
        allowed = self._masks.allowed(memory, question.filters)
        looked = [self._look_up(part, question.use_keywords, allowed, pool) for part in question.parts]
        framed = frames.slots(memory, question.frames)
        brought = [slots for each in looked for slots in each.slots]
        slots = retrieve.union(memory, allowed, *brought, np.array([*framed], np.int64))
        log.report("retrieve", candidates=len(slots), terms=[term.text for term in looked[0].terms])
        parts = zip(question.parts, looked, strict=True)
        return tuple(self._weigh(part, each, slots, question.use_keywords) for part, each in parts), framed

    def _look_up(self, part: Part, use_keywords: bool, allowed: Mask | None, pool: int) -> _Lookup:
        memory, tuning = self._memory, self._tuning
        terms = retrieve.query_terms(memory, part.text, part.intent, part.pasted, tuning)
        matching = retrieve.matching(memory, terms)
        paths = PathSignals(memory.paths, terms, len(memory.files))
        idf = {term.text: term.idf for term in terms}
        found = definitions.find(memory, self._nesting, part.text, part.intent, idf, tuning)
        by_keyword = np.zeros(0, np.int64)
        if use_keywords:
            by_keyword = top_documents(matching, pool, memory.rows.size, allowed)
        nearest = retrieve.retrieve_by_vector(memory, part.vector, allowed, pool)
        named = _named_files(paths.share, int(tuning.path_pool))
        # A file that has a chunk among the best by keyword has its best one there.
        known = np.zeros(len(memory.files), np.bool_)
        known[memory.rows["file"].take(by_keyword)] = True
        further = named[~known.take(named)]
        brought = _best_chunks(memory, further, matching if len(by_keyword) >= pool else None, allowed)
        others = np.array([*brought, *(each.slot for each in found)], np.int64)
        slots = (by_keyword, nearest.slots, others)
        return _Lookup(tuple(terms), matching, paths, tuple(found), nearest, slots)

    def _weigh(self, part: Part, looked: _Lookup, slots: Integers, use_keywords: bool) -> Evidence:
        memory, tuning = self._memory, self._tuning
        counts = looked.matching.counts(slots)
        keyword = np.zeros(len(slots), np.float32)
        if use_keywords:
            keyword = looked.matching.scores(slots, counts)
        candidates = retrieve.score(memory, keyword, looked.nearest, part.vector, slots)
        grouped = group(memory.rows["file"], candidates, len(memory.files))
        coverage = retrieve.coverage(looked.terms, counts)
        found = looked.definitions
        touched = _existing_files(memory, part.history)
        weights = self._weights.of(part.intent)
        gathered = {
            **signals.of_retrievers(memory, part.vector, candidates, grouped, tuning),
            **signals.of_places(slots, grouped, coverage, found),
            **(signals.of_forms(memory, slots) if any(map(weights.get, signals.FORM_SIGNALS)) else {}),
            **name_signals.of_names(memory, slots, grouped.files, looked.terms),
            **signals.of_files(memory, grouped, looked.paths),
            **signals.of_definitions(memory, grouped, found, symbol=part.intent.kind == "symbol"),
            **(signals.of_history(grouped, touched) if touched else {}),
        }
        if not use_keywords:
            weights.update({name: weights[name] * tuning.semantic_paths for name in _PATH_SIGNALS})
        elif part.pasted:
            weights.update({name: weights[name] * tuning.message_vectors for name in _VECTOR_SIGNALS})
        roles = self._penalised_roles(part, slots, grouped)
        kept = self._weights.kept_share(part.intent.kind, roles)
        return Evidence(
            part,
            looked.terms,
            candidates,
            grouped,
            found,
            gathered,
            weights,
            roles,
            kept,
            use_keywords,
            touched,
        )

    def _penalised_roles(self, part: Part, slots: Integers, grouped: Grouped) -> NDArray[np.int32]:
        """The roles penalised for each candidate: none asked for, and no barrel that defines something."""
        unasked = ~np.int32(file_roles.asked_roles(part.text))
        roles = self._memory.paths.roles[grouped.files] & unasked
        barrel = file_roles.bit("barrel")
        for at in (roles & barrel).nonzero()[0].tolist():
            if len(self._memory.symbols.of_file(int(grouped.files[at]))):
                roles[at] &= ~barrel
        held: NDArray[np.int32] = roles.take(grouped.owner)
        for chunks in _in_test_modules(self._memory, slots):
            held[chunks] |= unasked & file_roles.bit("test")
        return held


def _in_test_modules(memory: MemoryIndex, slots: Integers) -> Iterator[Integers]:
    """The positions of the chunks in modules of tests, which Rust has at the end of the files they test."""
    containers = memory.rows["container"].take(slots)
    for name in _TEST_MODULES:
        code = memory.names.find(name)
        if code is not None and len(found := (containers == code).nonzero()[0]):
            yield found


def combined(evidence: Sequence[Evidence], framed: Mapping[int, float], tuning: Tuning) -> Floats:
    """The combined scores of all texts, with those of the places that a stack trace names."""
    total = _sum_of_texts(evidence)
    if framed:
        total += np.float32(tuning.report_frame) * signals.spread(framed, evidence[0].candidates.slots)
    return total


def _sum_of_texts(evidence: Sequence[Evidence]) -> Floats:
    """The scores of one text as they are, of several as shares of the best of each."""
    if len(evidence) == 1:
        return evidence[0].scores()
    total = np.zeros(len(evidence[0].candidates.slots), np.float32)
    for each in evidence:
        scores = each.scores()
        total += np.float32(each.part.weight) * scores / max(float(scores.max(initial=0.0)), 1e-6)
    return total


def _existing_files(memory: MemoryIndex, history: Mapping[str, Touch]) -> dict[int, Touch]:
    """The files of a history that still exist, by number."""
    numbers = ((memory.file_number(path), touch) for path, touch in history.items())
    return {number: touch for number, touch in numbers if number is not None}


def _named_files(share: Floats, count: int) -> Integers:
    """The files whose paths cover most of the query."""
    names = (share > 0).nonzero()[0]
    best: Integers = names.take((-share.take(names)).argsort(kind="stable")[:count])
    return best


def _best_chunks(
    memory: MemoryIndex, files: Integers, matching: Matching | None, allowed: Mask | None
) -> list[int]:
    """A slot of each of some files: its best by keyword, its first if no keywords are given."""
    slots_of = [slots for number in files.tolist() if (slots := memory.files.slots(number))]
    if matching is None or not slots_of:
        return [slots[0] for slots in slots_of]
    every = np.array(sorted(chain.from_iterable(slots_of)), np.int64)
    scores = matching.scores(every)
    if allowed is not None:
        scores[~allowed[every]] = 0.0
    return [slots[int(scores[every.searchsorted(slots)].argmax())] for slots in slots_of]
