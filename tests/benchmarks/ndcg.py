"""NDCG@10 of code search: a target counts once, at the rank of the first result that covers it."""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

DEPTH = 10


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file, 1-based and inclusive; without lines, the whole file."""

    path: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A query, its category and the places a good answer contains."""

    query: str
    category: str
    targets: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """The value of one task in one repository."""

    repo: str
    category: str
    query: str
    value: float


def load_tasks(folder: Path) -> dict[str, list[Task]]:
    """Read one list of tasks a repository from NAME.json files."""
    return {
        file.stem: [_task(raw) for raw in json.loads(file.read_text(encoding="utf-8"))]
        for file in sorted(folder.glob("*.json"))
    }


def files_below(root: Path) -> list[str]:
    """Every file of a repository, relative to it."""
    return [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]


def _task(raw: dict[str, Any]) -> Task:
    targets = (*raw.get("relevant", ()), *raw.get("secondary", ()))
    return Task(raw["query"], raw.get("category", "?"), tuple(_place(target) for target in targets))


def _place(raw: str | dict[str, Any]) -> Place:
    if isinstance(raw, str):
        return Place(raw)
    return Place(raw["path"], raw.get("start_line"), raw.get("end_line"))


def ndcg(results: Sequence[Place], task: Task, files: Iterable[str]) -> float | None:
    """Score the first ten results; None if no target of the task is among the files."""
    present = list(files)
    targets = [target for target in task.targets if any(_same_file(file, target.path) for file in present)]
    if not targets:
        return None
    ranks = {rank for target in targets if (rank := _rank(results, target)) is not None}
    ideal = sum(1 / math.log2(position + 2) for position in range(min(DEPTH, len(targets))))
    return sum(1 / math.log2(rank + 1) for rank in ranks) / ideal


def _rank(results: Sequence[Place], target: Place) -> int | None:
    hits = (rank for rank, result in enumerate(results[:DEPTH], 1) if _covers(result, target))
    return next(hits, None)


def _covers(result: Place, target: Place) -> bool:
    if not _same_file(result.path, target.path):
        return False
    if target.start is None or target.end is None or result.start is None or result.end is None:
        return True
    return result.end >= target.start and result.start <= target.end


def _same_file(one: str, other: str) -> bool:
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def mean_over_repositories(scores: Iterable[Score]) -> float:
    """Average each repository first, so that one with many tasks counts no more than one with few."""
    return fmean(by_repository(scores).values())


def by_repository(scores: Iterable[Score]) -> dict[str, float]:
    """Return the mean of each repository."""
    return _means((score.repo, score.value) for score in scores)


def by_category(scores: Iterable[Score]) -> dict[str, float]:
    """Return the mean over the tasks of each category."""
    return _means((score.category, score.value) for score in scores)


def _means(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    groups: dict[str, list[float]] = defaultdict(list)
    for key, value in values:
        groups[key].append(value)
    return {key: fmean(group) for key, group in sorted(groups.items())}
