"""The order in which the files of a folder are read, so that the first answers of a new index are useful."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sightline.indexing.discovery.discover import FoundFile
from sightline.languages.table import detect

_RECENT_NS = 7 * 24 * 3600 * 10**9
_PROSE = frozenset({"markdown", "rst", "latex"})
# Unknown extensions, such as `.po`, are plain text.
_DATA = frozenset({"json", "yaml", "toml", "xml", "ini", "properties", "text"})
_CODE_IN_DATA = (".ipynb",)


def reading_order(files: Iterable[FoundFile], open_files: Collection[str], now_ns: int) -> list[str]:
    """Open files first, then source code, prose and data, each with what changed in the last week first."""

    def priority(file: FoundFile) -> tuple[bool, int, bool, str]:
        recent = now_ns - file.mtime_ns < _RECENT_NS
        return file.path not in open_files, _kind(file.path), not recent, file.path

    return [file.path for file in sorted(files, key=priority)]


def _kind(path: str) -> int:
    """0 for source code, 1 for prose, 2 for data."""
    if path.endswith(_CODE_IN_DATA):
        return 0
    language = detect(path, b"").id
    if language in _DATA:
        return 2
    return 1 if language in _PROSE else 0
