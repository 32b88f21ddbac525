"""The product's signals for the candidates of a task, and which candidates are right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from sightline.file_roles import ROLES
from sightline.search.query.classify import QueryKind, classify
from sightline.search.query.message import is_pasted
from sightline.search.query.parse_query import parse
from sightline.search.ranking.constants import DEFAULTS
from sightline.search.ranking.pipeline import Evidence, Part, Pipeline, Question
from sightline.search.ranking.signals import SIGNALS
from sightline.search.ranking.weights import learned
from sightline.search.results import places
from sightline.search.trace import StageLog
from sightline.stores.memory.memory_index import MemoryIndex
from tests.benchmarks.ranking.indexed import IndexedTree
from tests.benchmarks.ranking.tasks import Place, Task

Floats = NDArray[np.float32]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Groups:
    """A grouping of candidates, with equal groups adjacent: the group of each, and which groups are right."""

    of: Indices
    right: NDArray[np.bool_]

    def kept(self, chosen: NDArray[np.bool_]) -> Groups:
        """The groups of some of the candidates."""
        left, of = np.unique(self.of[chosen], return_inverse=True)
        return Groups(of.astype(np.int64), self.right[left])


@dataclass(frozen=True, slots=True)
class Example:
    """A task and its candidates: their signals, the roles that penalize them, their files and places."""

    task: Task
    kind: QueryKind
    named: bool
    signals: Floats
    roles: Floats
    files: Groups
    places: Groups
    # The data of an answer: equal contents are shown once, a place is shown by its path and lines.
    contents: Indices
    shown: tuple[Place, ...]

    def reduced(self, most: int) -> Example:
        """The example with the right candidates and, without any weights, the most promising ones only."""
        promise = self.signals.sum(axis=1) * 0.5 ** self.roles.sum(axis=1)
        chosen = self.places.right[self.places.of] | self.files.right[self.files.of]
        chosen[np.argsort(-promise, kind="stable")[:most]] = True
        return self._of(chosen)

    def within_right_files(self) -> Example | None:
        """The example with only the right files, judged by places; None if there is nothing to choose."""
        inside = self._of(self.files.right[self.files.of])
        if inside.places.right.all() or not inside.places.right.any():
            return None
        no_file = Groups(inside.files.of, np.zeros_like(inside.files.right))
        return replace(inside, files=no_file, roles=np.zeros_like(inside.roles))

    def _of(self, chosen: NDArray[np.bool_]) -> Example:
        return replace(
            self,
            signals=self.signals[chosen],
            roles=self.roles[chosen],
            files=self.files.kept(chosen),
            places=self.places.kept(chosen),
            contents=self.contents[chosen],
            shown=tuple(place for place, keep in zip(self.shown, chosen, strict=True) if keep),
        )


def examples(tree: IndexedTree, tasks: Iterable[Task]) -> Iterator[Example]:
    """The candidates of each task in an indexed tree."""
    reader = _Reader(tree)
    for task in tasks:
        with tree.memory.guard.reading():
            yield reader.example(task)


class _Reader:
    def __init__(self, tree: IndexedTree) -> None:
        self._memory, self._embed = tree.memory, tree.embed_query
        # The weights only order the candidates; nothing is ordered here.
        self._pipeline = Pipeline(tree.memory, learned(), DEFAULTS)

    def example(self, task: Task) -> Example:
        evidence = self._evidence(task.query)
        slots = evidence.candidates.slots
        # What cannot be learned for this kind of query.
        nothing = np.zeros(len(slots), np.float32)
        files, keys = evidence.grouped.owner, places.place_keys(self._memory, slots)
        order = np.lexsort((keys, files))
        shown = self._shown(evidence, slots[order].tolist())
        return Example(
            task,
            evidence.part.intent.kind,
            evidence.part.intent.mentions_name,
            np.stack([evidence.signals.get(name, nothing) for name in SIGNALS], axis=1)[order],
            _flags(evidence.roles[order]),
            _groups(files[order], shown, _files_of(task)),
            _groups(keys[order], shown, task.places),
            self._memory.rows["content"][slots[order]].astype(np.int64),
            shown,
        )

    def _evidence(self, query: str) -> Evidence:
        parsed = parse(query)
        intent = classify(parsed.text)
        pasted = is_pasted(parsed.text, intent.kind)
        part = Part(parsed.text, intent, pasted, self._embed(parsed.text))
        question = Question((part,), parsed.filters, use_keywords=True)
        return self._pipeline.evidence(question, int(DEFAULTS.pool), StageLog(None))[0][0]

    def _shown(self, evidence: Evidence, slots: list[int]) -> tuple[Place, ...]:
        """The lines of each candidate that a result page would show."""
        by_worth = sorted(evidence.definitions, key=attrgetter("worth"))
        named = {found.slot: found.row for found in by_worth if found.certain}
        rows = [named.get(slot) for slot in slots]
        labels = places.labels(self._memory, np.array(slots, np.int64), rows, {})
        return tuple(
            Place(_path(self._memory, slot), label.span[0] + 1, label.span[1] + 1)
            for slot, label in zip(slots, labels, strict=True)
        )


def _path(memory: MemoryIndex, slot: int) -> str:
    return memory.file_of(slot).path


def _files_of(task: Task) -> list[Place]:
    return [*task.whole_files(), *(Place(place.path) for place in task.places)]


def _groups(keys: Indices, shown: tuple[Place, ...], targets: Iterable[Place]) -> Groups:
    """Group adjacent equal keys; a group is right if one of its candidates overlaps a target."""
    starts = np.diff(keys, prepend=keys[:1] - 1) != 0
    of = np.cumsum(starts) - 1
    right = np.zeros(int(starts.sum()), np.bool_)
    wanted: dict[str, list[Place]] = {}
    for target in targets:
        wanted.setdefault(target.path, []).append(target)
    for at, place in enumerate(shown):
        if any(place.overlaps(target) for target in wanted.get(place.path, ())):
            right[of[at]] = True
    return Groups(of.astype(np.int64), right)


def _flags(roles: NDArray[np.int32]) -> Floats:
    """A column for each role, 1 where it penalizes a candidate."""
    return ((roles[:, None] >> np.arange(len(ROLES))) & 1).astype(np.float32)
