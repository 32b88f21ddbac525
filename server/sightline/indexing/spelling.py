"""One file, one spelling: what a path is really called on systems that do not tell case apart."""

from __future__ import annotations

import os
from pathlib import Path


def ignores_case(root: Path) -> bool:
    """Whether the file system of a folder takes `A` and `a` for the same name."""
    other = root.with_name(root.name.swapcase()) if root.name else root
    if other.name == root.name:
        return os.path.normcase("A") == "a"
    try:
        return os.path.samefile(root, other)
    except OSError:
        return False


def true_spelling(root: Path, path: str) -> str:
    """The posix-relative path as the folder listing spells it; names that are not there stay as given."""
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
