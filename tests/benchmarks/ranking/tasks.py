"""What is asked and what would be right: the tasks of every yardstick, kept as data beside this module."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "tasks"


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file, 1-based and inclusive; without lines, the whole file."""

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
    """A query with the files and the places that answer it; `text` is a longer way to ask the same."""

    query: str
    files: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    text: str = ""
    commit: str = ""
    category: str = ""

    def whole_files(self) -> list[Place]:
        """The files that answer it."""
        return [Place(path) for path in self.files]

    def targets(self) -> list[Place]:
        """All that answers it, where a place stands for itself and not for its file."""
        return [*self.whole_files(), *self.places]


@dataclass(frozen=True, slots=True)
class Project:
    """A repository at a revision, the folder of it that is searched, and what is asked of it."""

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
    """The projects of one file of tasks."""
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
