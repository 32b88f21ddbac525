"""Calls resolve to their definitions, in every language that has its own rules.

Each file in `projects` holds the files of a small project under their names, and what one definition calls.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from sightline.relations.graph import Graph
from sightline.relations.world import World
from tests.unit.search.small_index import build_memory

PROJECTS = sorted(Path(__file__).with_name("projects").glob("*.txt"))
_PART = re.compile(r"^=== (.*)\n", re.MULTILINE)


def read_project(path: Path) -> tuple[dict[str, str], str, set[str]]:
    """The files of a project, the caller, and what it calls as `path name`."""
    _, *parts = _PART.split(path.read_text("utf-8"))
    files = dict(zip(parts[::2], parts[1::2], strict=True))
    title = next(name for name in files if name.startswith("calls of "))
    expected = set(files.pop(title).split("\n")) - {""}
    return files, title.removeprefix("calls of "), expected


def resolved_calls(folder: Path, project: Mapping[str, str], caller: str) -> set[str]:
    """What one definition calls, as far as that is certain."""
    memory = build_memory(folder, project, vectors=False)
    with memory.guard.reading():
        world = World(memory)
        graph = Graph(world)
        sites = [
            site
            for number in memory.files.numbers()
            for site in graph.callees(number, range(len(world.facts(number).scopes)))
            if site.confidence == "resolved"
        ]
        return {
            f"{world.path(world.file_of(site.callee))} {world.path_of(site.callee)}"
            for site in sites
            if site.caller is not None and world.path_of(site.caller) == caller
        }


@pytest.mark.parametrize("path", PROJECTS, ids=lambda path: path.stem)
def test_calls_resolve_to_their_definitions(tmp_path: Path, path: Path) -> None:
    files, caller, expected = read_project(path)
    assert resolved_calls(tmp_path / "project", files, caller) == expected
