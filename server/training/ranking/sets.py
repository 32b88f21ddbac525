"""The sets of tasks that the weights are learned from, and the weight of each set."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from sightline.search.query.classify import QueryKind
from sightline.search.ranking.weights import LOOKUPS
from tests.benchmarks.ranking import layout, sentences, tasks
from tests.benchmarks.ranking.indexed import IndexedTree
from tests.benchmarks.ranking.tasks import Project, Task
from tests.benchmarks.ranking.yardsticks import CHANGES, DEVELOPMENT, SEARCHES, SENTENCES, TOPICS, Yardstick
from training.ranking import kept_out, mine
from training.ranking.signals import Example, examples

# Examples by set and project.
Gathered = dict[str, dict[str, list[Example]]]


@dataclass(frozen=True, slots=True)
class Share:
    """The weight of each task of a set: of a description and of a lookup.

    `within` is the weight of extra copies of a description, one per kind of lookup, restricted to the right
    files: the tasks of lookups name only files, so places within a file are learned from these.
    """

    description: float
    lookup: float
    within: float = 0.0


# The topics represent what users ask for. Subjects and doc sentences that look like a topic or a question do
# not, and have a low weight.
SHARES: Mapping[str, Share] = {
    "topics": Share(16.0, 16.0),
    "changes": Share(1.0, 0.2, 0.5),
    "sentences": Share(2.0, 0.2),
    "questions": Share(4.0, 4.0),
    "searches": Share(8.0, 8.0),
    "mined changes": Share(1.0, 0.2, 0.5),
    "mined sentences": Share(1.0, 0.2),
}
_COPIED_AS: tuple[QueryKind, ...] = ("topic", "heading", "question")
# The sets whose projects are judged too; the other sets are only used for training.
JUDGED: Mapping[str, Yardstick] = {
    "topics": TOPICS,
    "changes": CHANGES,
    "sentences": SENTENCES,
    "questions": DEVELOPMENT,
    "searches": SEARCHES,
}


def gathered(mirrors: Path, work: Path) -> Gathered:
    """The examples of all sets; the first call creates the trees and indexes."""
    found: Gathered = {name: {} for name in SHARES}
    for project, own, documented in _projects(mirrors, work):
        root = layout.tree(project, mirrors, work)
        given: dict[str, tuple[Task, ...]] = {own: project.tasks}
        if documented:
            given[documented] = sentences.tasks_of(root)
        with closing(IndexedTree(root, work)) as tree:
            for name, asked in given.items():
                found[name][project.name] = list(examples(tree, asked))
        print(project.name, file=sys.stderr, flush=True)
    return found


def _projects(mirrors: Path, work: Path) -> Iterator[tuple[Project, str, str]]:
    """Every project, the set of its tasks, and the set of its doc sentences, if they are used."""
    for project in tasks.load("topics"):
        yield project, "topics", "sentences"
    for project in tasks.load("changes"):
        if not kept_out.held_back(project.source):
            yield project, "changes", ""
    for project in tasks.load("development"):
        yield project, "questions", ""
    for project in tasks.load("searches"):
        yield project, "searches", ""
    for source, head in mine.sources().items():
        yield mine.mined(source, head, mirrors, work), "mined changes", "mined sentences"


def weighted(
    found: Gathered, shares: Mapping[str, Share], without: Collection[str] = ()
) -> list[tuple[Example, float]]:
    """The examples of all projects except those in `without`, each with its weight."""
    return [
        counted
        for name, projects in found.items()
        for project, of_project in projects.items()
        if project not in without
        for example in of_project
        for counted in _counted(example, shares[name])
    ]


def _counted(example: Example, share: Share) -> Iterator[tuple[Example, float]]:
    looks_up = example.kind in LOOKUPS
    yield example, share.lookup if looks_up else share.description
    inside = example.within_right_files() if share.within and not looks_up else None
    if inside is not None:
        for kind in _COPIED_AS:
            yield replace(inside, kind=kind), share.within
