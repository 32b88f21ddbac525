"""Queries and their right answers: the tasks of every yardstick, stored as data next to this module."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "tasks"


@dataclass(frozen=True, slots=True)
class Place:
    """A range of lines of a file, 1-based and inclusive; without lines, the whole file."""

    path: str
    start: int | None = None
    end: int | None = None

    def overlaps(self, other: Place) -> bool:
        """Whether both have a line in common."""
        if self.path != other.path:
            return False
        if self.start is None or self.end is None or other.start is None or other.end is None:
            return True
        return self.start <= other.end and self.end >= other.start


@dataclass(frozen=True, slots=True)
class Task:
    """A query with the files and the places that answer it; `text` is a longer form of the query."""

    query: str
    files: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    text: str = ""
    commit: str = ""
    category: str = ""

    def whole_files(self) -> list[Place]:
        """The right files, each as a whole."""
        return [Place(path) for path in self.files]

    def targets(self) -> list[Place]:
        """All right answers: the whole files and the places; a place does not add its whole file."""
        return [*self.whole_files(), *self.places]


@dataclass(frozen=True, slots=True)
class Project:
    """A repository at a revision, its searched folder, and its tasks."""

    name: str
    source: str
    revision: str
    tasks: tuple[Task, ...]
    root: str = "."
    leave_out: tuple[str, ...] = ()


def load(name: str) -> list[Project]:
    """The projects of one yardstick."""
    return read(FOLDER / f"{name}.json")


def read(path: Path) -> list[Project]:
    """The projects of one task file."""
    return [_project(raw) for raw in json.loads(path.read_text(encoding="utf-8"))]


def _project(raw: dict[str, Any]) -> Project:
    return Project(
        name=raw["name"],
        source=raw["source"],
        revision=raw["revision"],
        tasks=tuple(_task(each) for each in raw["tasks"]),
        root=raw.get("root", "."),
        leave_out=tuple(raw.get("leave_out", ())),
    )


def _task(raw: dict[str, Any]) -> Task:
    return Task(
        query=raw["query"],
        files=tuple(raw.get("files", ())),
        places=tuple(Place(*place) for place in raw.get("places", ())),
        text=raw.get("text", ""),
        commit=raw.get("commit", ""),
        category=raw.get("category", ""),
    )
