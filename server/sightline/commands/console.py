"""Output to a terminal, or to a program that reads it."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import sys
import time
from collections.abc import Sequence
from typing import Any, TextIO

from sightline.indexing.events import IndexProgress
from sightline.names import COMMAND
from sightline.platforms import shows_escapes
from sightline.visible import visible, visible_json

_COLOURS = {
    "path": "35",
    "line": "32",
    "symbol": "1",
    "dim": "2",
    "match": "1;31",
    "good": "32",
    "bad": "31",
    "warn": "33",
}
_BAR_WIDTH = 24
_REDRAW_SECONDS = 0.1
_WORDS = {"scanning": "looking for files", "reading": "reading", "embedding": "embedding"}


def coloured(stream: TextIO) -> bool:
    """Whether a stream shows colours and the user wants them (no-color.org)."""
    return not os.environ.get("NO_COLOR") and shows_escapes(stream)


def paint(text: str, colour: str) -> str:
    """The text with control characters made harmless, in a colour if stdout shows colours."""
    shown = visible(text, keep="\t")
    return f"\x1b[{_COLOURS[colour]}m{shown}\x1b[0m" if coloured(sys.stdout) else shown


def mark(text: str, places: Sequence[tuple[int, int]]) -> str:
    """A line with the given ranges, which are in order, highlighted if stdout shows colours."""
    shown, at = "", 0
    for start, end in places:
        shown += visible(text[at:start], keep="\t") + paint(text[start:end], "match")
        at = end
    return shown + visible(text[at:], keep="\t")


def print_json(value: object) -> None:
    """Print one JSON value to stdout, with escapes where the encoding lacks a character."""
    text = json.dumps(value, indent=2, default=_plain, ensure_ascii=not _is_unicode(sys.stdout))
    print(visible_json(text))


def warn(text: str) -> None:
    """Print a line for the user to stderr, which programs that read stdout do not see."""
    print(f"{COMMAND}: {visible(text)}", file=sys.stderr)


def _is_unicode(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")


def size(count: float) -> str:
    """A number of bytes with a readable unit."""
    for unit in ("B", "KB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)


class ProgressBar:
    """A line on the terminal that shows the indexing progress; hidden if stderr is not a terminal."""

    def __init__(self) -> None:
        self._stream = sys.stderr
        self._shown = shows_escapes(self._stream)
        self._last = 0.0
        self._drawn = False

    def show(self, progress: IndexProgress) -> None:
        """Redraw it, unless that was done a moment ago."""
        now = time.monotonic()
        if self._shown and (now - self._last > _REDRAW_SECONDS) and not progress.finished:
            self._last, self._drawn = now, True
            self._stream.write(f"\r\x1b[2K{_line(progress)}")
            self._stream.flush()

    def clear(self) -> None:
        """Erase the line."""
        if self._drawn:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()


def _line(progress: IndexProgress) -> str:
    words = _WORDS[progress.phase]
    if not progress.total:
        return words
    full, empty = "█░" if _is_unicode(sys.stderr) else "#."
    filled = _BAR_WIDTH * progress.done // progress.total
    bar = full * filled + empty * (_BAR_WIDTH - filled)
    line = f"{bar} {progress.done}/{progress.total} {words} {visible(progress.current)}"
    return line[: shutil.get_terminal_size().columns - 1]
