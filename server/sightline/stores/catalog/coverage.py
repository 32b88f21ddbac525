"""How far the writer of a catalog has come, kept in the catalog for those who only read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from sightline.stores.catalog.database import Database

_KEY = "coverage"
Walk = Literal["indexing", "complete", "stopped", "cleared"]
_WALKS: dict[str, Walk] = {walk: walk for walk in get_args(Walk)}


@dataclass(frozen=True, slots=True)
class IndexCoverage:
    """What became of the last look at the whole folder, and how many files it found."""

    walk: Walk = "indexing"
    files: int = 0


def read_coverage(database: Database) -> IndexCoverage:
    """What the writer noted last; of a new catalog, that it is being filled."""
    walk, _, files = (database.meta(_KEY) or "").partition(" ")
    return IndexCoverage(_WALKS.get(walk, "indexing"), int(files) if files.isdecimal() else 0)


def write_coverage(database: Database, coverage: IndexCoverage) -> None:
    """Note how far the writer is, if that is news."""
    if read_coverage(database) != coverage or database.meta(_KEY) is None:
        database.set_meta(_KEY, f"{coverage.walk} {coverage.files}")
