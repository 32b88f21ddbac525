"""Finds the project of a path on the command line, and the paths of its files relative to the user."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sightline.errors import SightlineError
from sightline.indexing.discovery.ignore import Ignore
from sightline.indexing.index_files import CATALOG
from sightline.location import index_dir
from sightline.settings import tree as settings


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """A project, and the selected part of it; an empty part selects all of it."""

    root: Path
    part: str = ""


def targets(paths: Sequence[Path]) -> list[SearchTarget]:
    """The targets of the paths; without paths, the project of the working directory."""
    return [target(path) for path in paths] or [current_target()]


def target(path: Path) -> SearchTarget:
    """The nearest project that contains a path, and the path in it; a folder in no project is one itself."""
    if not path.exists():
        raise SightlineError(f"{path} does not exist.")
    real = path.resolve()
    folder = real if real.is_dir() else real.parent
    root = project_of(folder) or folder
    if root == real:
        return SearchTarget(root)
    part = real.relative_to(root).as_posix()
    reason = _hidden(root, part, real.is_dir())
    if reason is None:
        return SearchTarget(root, part)
    if folder != real:
        raise SightlineError(f"{path} is not in the index of {root}: it is left out as {reason}.")
    # A folder that its project ignores, such as an installed package, but that the user names explicitly.
    return SearchTarget(real)


def project_of(folder: Path) -> Path | None:
    """The nearest folder, from this one up, that git, a settings file or an index marks as a project."""
    for each in (folder, *folder.parents):
        if each != folder and each in (Path.home(), Path(each.anchor)):
            return None
        marks = (each / ".git", each / settings.WORKSPACE_FILE)
        if any(os.path.lexists(mark) for mark in marks) or is_indexed(each):
            return each
    return None


def is_indexed(root: Path) -> bool:
    """Whether a folder has an index of its own."""
    return (index_dir(root) / CATALOG).exists()


def project(folder: Path | None) -> Path:
    """The project that contains a folder, or else the working directory."""
    if folder is None:
        return current_target().root
    if folder.exists() and not folder.is_dir():
        raise SightlineError(f"{folder} is a file; give the folder that contains it.")
    return target(folder).root


def from_here(root: Path | str, path: str) -> str:
    """A path that opens a file of a project from the working directory."""
    here, file = os.getcwd(), os.path.join(root, path)
    inside = os.path.commonpath((here, str(root))) in (here, str(root)) if _same_drive(here, file) else False
    return os.path.relpath(file, here) if inside else file


def current_target() -> SearchTarget:
    here = Path.cwd()
    if here in (Path.home(), Path(here.anchor)) and project_of(here) is None:
        raise SightlineError(f"{here} is not in a project; name the folder to search, or `.` for all of it.")
    return target(here)


def _hidden(root: Path, part: str, is_dir: bool) -> str | None:
    return Ignore(root, settings.load(root)[0].indexing).reason(part, is_dir)


def _same_drive(one: str, other: str) -> bool:
    return os.path.splitdrive(one)[0].lower() == os.path.splitdrive(other)[0].lower()
