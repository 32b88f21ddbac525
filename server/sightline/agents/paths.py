"""Resolves the paths that agents name: always inside an open folder, however they are written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sightline.errors import InvalidRequest


def located(text: str, roots: Sequence[Path]) -> Path:
    """The real path of a file in one of the folders; a link that leads outside is rejected."""
    for root in roots:
        path = _resolved(root / text)
        if path is not None and path.is_relative_to(root) and os.path.isfile(path):
            return path
    raise InvalidRequest(f"There is no file {text!r} in {_listed(roots)}.")


def chosen(text: str | None, roots: Sequence[Path]) -> list[Path] | None:
    """The open folder that a path names; None means all."""
    if text is None:
        return None
    for root in roots:
        if text in (str(root), root.name) or _resolved(Path(text)) == root:
            return [root]
    raise InvalidRequest(f"{text!r} is not an open folder; open: {_listed(roots)}.")


def _resolved(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _listed(roots: Sequence[Path]) -> str:
    return ", ".join(map(str, roots)) or "no folder"
