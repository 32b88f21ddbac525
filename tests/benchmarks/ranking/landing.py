"""Checks whether a row labelled with a name opens a line that contains the name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sightline.types import Hit
from sightline.words import lines_of


class Landing:
    """Counts the result rows with a name, and those that open a line with that name."""

    def __init__(self) -> None:
        self.named = 0
        self.landed = 0

    def count(self, root: Path, hit: Hit) -> None:
        """Count one result row."""
        if hit.symbol is None or not hit.symbol.name:
            return
        lines = _lines(root / hit.path)
        at = _line(hit)
        self.named += 1
        self.landed += at < len(lines) and hit.symbol.name in lines[at]


def _line(hit: Hit) -> int:
    """The line where an editor puts the cursor."""
    return hit.selection.line if hit.selection else hit.start_line


@cache
def _lines(path: Path) -> list[str]:
    return lines_of(path.read_text(encoding="utf-8", errors="replace"))
