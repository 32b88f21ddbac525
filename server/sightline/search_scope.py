"""Resolves the scopes of a search in each folder: changed files, open files, files near the current one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from sightline.errors import InvalidRequest
from sightline.history.changes import changed_files
from sightline.search.query.scopes import SearchScope, asked_scopes
from sightline.types import Filters, ScopeFiles


def search_scopes(
    roots: Sequence[Path],
    filters: Iterable[Filters],
    open_files: Collection[Path] | None,
    here: Path | None,
) -> dict[Path, SearchScope]:
    """Scopes by folder; `open_files` is None without an editor, `here` is the folder of the current file."""
    asked = asked_scopes(filters)
    scopes: dict[str, dict[Path, ScopeFiles]] = {}
    if "open" in asked:
        if open_files is None:
            raise InvalidRequest("'in:open' needs an editor: on the command line no file is open.")
        scopes["open"] = {root: ScopeFiles(_inside(root, open_files)) for root in roots}
    if "here" in asked:
        scopes["here"] = {root: ScopeFiles(below=_below(root, here)) for root in roots}
        if here is None:
            raise InvalidRequest("'in:here' needs the current file: the request has no currentDocument.")
        if all(found.below is None for found in scopes["here"].values()):
            raise InvalidRequest(f"'in:here' finds nothing: {here} is in no folder that is searched.")
    if "changed" in asked:
        scopes["changed"] = _changed(roots)
    return {
        root: SearchScope(
            {name: found[root] for name, found in scopes.items()}, _inside(root, open_files or ())
        )
        for root in roots
    }


def _inside(root: Path, paths: Iterable[Path]) -> frozenset[str]:
    return frozenset(path.relative_to(root).as_posix() for path in paths if path.is_relative_to(root))


def _below(root: Path, here: Path | None) -> str | None:
    """The part of a folder that is in `here`: all of it if `here` contains it, None if they are disjoint."""
    if here is None:
        return None
    if root.is_relative_to(here):
        return ""
    return here.relative_to(root).as_posix() if here.is_relative_to(root) else None


def _changed(roots: Sequence[Path]) -> dict[Path, ScopeFiles]:
    """The changed files of each folder: none outside of repositories; raises if all folders are outside."""
    found: dict[Path, ScopeFiles] = {}
    problems: list[InvalidRequest] = []
    for root in roots:
        try:
            found[root] = ScopeFiles(changed_files(root))
        except InvalidRequest as problem:
            found[root] = ScopeFiles()
            problems.append(problem)
    if problems and len(problems) == len(roots):
        raise problems[0]
    return found
