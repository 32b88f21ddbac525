"""NDCG@10 of ranked places against annotated files, optionally with line ranges.

A tasks folder has one JSON file a repository, a list of
`{"query": ..., "relevant": [...], "secondary": [...], "category": ...}`; a target is a path, or
`{"path": ..., "start_line": ..., "end_line": ...}` with 1-based lines. A target counts once, at the rank of the
first place that covers it; a target whose file is not in the checkout is left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

K = 10


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a file, 1-based and inclusive; no lines means the whole file."""

    path: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One query and what answers it."""

    query: str
    targets: tuple[Span, ...]
    category: str


def load_tasks(folder: Path) -> dict[str, list[Task]]:
    """The tasks of every repository that has a file in the folder."""
    return {
        path.stem: [_task(raw) for raw in json.loads(path.read_text("utf-8"))]
        for path in sorted(folder.glob("*.json"))
    }


def _task(raw: Mapping[str, Any]) -> Task:
    targets = [*raw.get("relevant", []), *raw.get("secondary", [])]
    return Task(raw["query"], tuple(_target(target) for target in targets), raw.get("category", "?"))


def _target(raw: str | Mapping[str, Any]) -> Span:
    if isinstance(raw, str):
        return Span(raw)
    return Span(raw["path"], raw.get("start_line"), raw.get("end_line"))


def same_path(one: str, other: str) -> bool:
    """Whether one path is the other, or the end of it."""
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def covers(place: Span, target: Span) -> bool:
    """Whether a place has at least a line of the target."""
    if not same_path(place.path, target.path):
        return False
    if target.start is None or target.end is None or place.start is None or place.end is None:
        return True
    return place.start <= target.end and place.end >= target.start


def present(task: Task, files: Iterable[str]) -> Task | None:
    """The task with the targets that are in the checkout, None if there are none."""
    known = list(files)
    targets = tuple(target for target in task.targets if any(same_path(file, target.path) for file in known))
    return Task(task.query, targets, task.category) if targets else None


def ndcg(places: Sequence[Span], targets: Sequence[Span], k: int = K) -> float:
    """Discounted gain of the targets found among the first `k` places, as a share of the best possible."""
    ranks = set()
    for target in targets:
        rank = next((at for at, place in enumerate(places[:k], 1) if covers(place, target)), None)
        if rank is not None:
            ranks.add(rank)
    ideal = sum(1 / math.log2(at + 2) for at in range(min(k, len(targets))))
    return sum(1 / math.log2(rank + 1) for rank in ranks) / ideal


def repository_files(root: Path) -> list[str]:
    """Every file below a folder, as posix paths relative to it."""
    return [
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink()
    ]
