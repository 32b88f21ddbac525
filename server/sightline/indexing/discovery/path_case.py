"""One spelling per file: the stored case of a path on case-insensitive file systems."""

from __future__ import annotations

import os
from pathlib import Path


def ignores_case(root: Path) -> bool:
    """Whether the file system of a folder treats `A` and `a` as the same name."""
    for folder in (root, *root.parents):
        other = folder.with_name(folder.name.swapcase()) if folder.name else folder
        if other.name != folder.name:
            return _same(folder, other)
    return os.path.normcase("A") == "a"


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def stored_case(root: Path, path: str) -> str:
    """The relative POSIX path as the folder listing spells it; names that do not exist stay as given."""
    if not ignores_case(root):
        return path
    found: list[str] = []
    for name in path.split("/"):
        found.append(_listed(root.joinpath(*found), name))
    return "/".join(found)


def _listed(folder: Path, name: str) -> str:
    try:
        names = os.listdir(folder)
    except OSError:
        return name
    if name in names:
        return name
    folded = name.casefold()
    return next((other for other in names if other.casefold() == folded), name)
