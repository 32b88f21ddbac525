"""The indexing progress of a catalog's writer, kept in the catalog for processes that only read it."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from sightline.stores.catalog.database import Database

_KEY = "coverage"
Walk = Literal["indexing", "complete", "stopped", "cleared"]
_WALKS: dict[str, Walk] = {walk: walk for walk in get_args(Walk)}


class IndexCoverage(NamedTuple):
    """The state of the last walk over the whole folder, and how many files it found."""

    walk: Walk = "indexing"
    files: int = 0


def read_coverage(database: Database) -> IndexCoverage:
    """The coverage that the writer recorded last; "indexing" for a new catalog."""
    walk, _, files = (database.meta(_KEY) or "").partition(" ")
    return IndexCoverage(_WALKS.get(walk, "indexing"), int(files) if files.isdecimal() else 0)


def write_coverage(database: Database, coverage: IndexCoverage) -> None:
    """Record the writer's coverage if it changed."""
    if read_coverage(database) != coverage or database.meta(_KEY) is None:
        database.set_meta(_KEY, f"{coverage.walk} {coverage.files}")
