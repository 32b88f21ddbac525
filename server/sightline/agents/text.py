"""Formats answers for agents: one line per place, some of its code, within a size limit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sightline.types import Coverage, FolderStatus, Hit, SearchResult, SymbolHit, SymbolInfo
from sightline.visible import quoted, visible

_LONGEST_LINE = 240
# Enough for the sentence that lists what was left out.
_RESERVE = 120
_CUT = "…"
_TAB = "\t"


@dataclass(frozen=True, slots=True)
class Room:
    """The maximum number of characters of an answer, and of the code of each place in it."""

    whole: int
    each: int


def search(found: SearchResult, room: Room, offset: int, *, several: bool) -> str:
    """The places of a search, and their confidence."""
    answer = _Answer(room)
    shown = f"{len(found.hits)} of {found.total} places" if found.hits else "nothing was found"
    sure = found.confidence if found.hits else 0.0
    answer.say(f"confidence {sure:.2f}, {shown}, index {_covered(found.coverage)}")
    if found.note:
        answer.say(found.note)
    for number, hit in enumerate(found.hits, offset + 1):
        why = f"  ({hit.why})" if hit.why else ""
        weak = "  weak" if hit.weak else ""
        answer.show(f"\n{number}. {_place(hit, several)}  {hit.score:.2f}{weak}{why}", hit)
    if not found.hits:
        answer.say("Try fewer or other words, or remove a filter.")
    return answer.text


def related(hits: Sequence[Hit], room: Room, *, several: bool) -> str:
    """Related places, grouped by their relation to the requested place."""
    answer, reason = _Answer(room), ""
    for hit in hits:
        if hit.reason != reason:
            reason = hit.reason
            answer.say(f"\n{reason}:" if answer.text else f"{reason}:")
        sure = hit.confidence or f"{hit.score:.2f}"
        answer.show(f"- {_place(hit, several)}  {sure}", hit)
    return answer.text or "Nothing related was found; try a line inside a function."


def symbols(hits: Sequence[SymbolHit], room: Room, *, several: bool) -> str:
    """Definitions, one per line."""
    answer = _Answer(room)
    for hit in hits:
        symbol = hit.symbol
        where = _where(hit.folder, hit.path, several)
        end = f"-{symbol.end_line + 1}" if symbol.end_line > symbol.name_line else ""
        name = _named(SymbolInfo(symbol.name, symbol.kind, symbol.container, ""))
        answer.show(f"{where}:{symbol.name_line + 1}{end}  {name}", None)
    return answer.text or "No definition has a similar name."


def status(folders: Iterable[FolderStatus]) -> str:
    """The state of each folder's index."""
    return "\n\n".join(map(_folder, folders))


class _Answer:
    """Text that grows up to the limit; drops code first, then places, and counts both."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._lines: list[str] = []
        self._used = 0
        self._without_code = 0
        self._dropped = 0

    @property
    def text(self) -> str:
        """All that fitted, and a note on what did not."""
        left_out = []
        if self._without_code:
            left_out.append(f"the code of {self._without_code} places")
        if self._dropped:
            left_out.append(f"{self._dropped} places")
        note = [f"(no room for {' and '.join(left_out)}; raise maxCharacters)"] if left_out else []
        return "\n".join([*self._lines, *note])

    def say(self, line: str) -> None:
        """Add a sentence of the answer itself."""
        self._add([line])

    def show(self, line: str, hit: Hit | None) -> None:
        """Add a place, with its code if it fits."""
        if self._dropped or not self._add([_shortened(line)]):
            self._dropped += 1
            return
        code = _code(hit, self._room.each) if hit else []
        if code and not self._add(code):
            self._without_code += 1

    def _add(self, lines: Sequence[str]) -> bool:
        size = sum(len(line) + 1 for line in lines)
        if self._used + size > self._room.whole - _RESERVE:
            return False
        self._lines += lines
        self._used += size
        return True


def _code(hit: Hit, room: int) -> list[str]:
    """Numbered lines around the landing line, more below than above, as many as fit."""
    lines = hit.snippet.text.split("\n") if hit.snippet.text else []
    if not lines or not room:
        return []
    first = hit.snippet.start_line
    width = len(str(first + len(lines)))
    shown = [
        _shortened(f"   {first + at + 1:>{width}}| {visible(line, keep=_TAB)}")
        for at, line in enumerate(lines)
    ]
    landing = min(max(0, hit.line - first), len(lines) - 1)
    start = end = landing
    shown[landing] = _shortened(shown[landing], room)
    used = len(shown[landing])
    for at in _outwards(landing, len(lines)):
        used += len(shown[at]) + 1
        if used > room:
            break
        start, end = min(start, at), max(end, at)
    return shown[start : end + 1]


def _outwards(landing: int, count: int) -> Iterable[int]:
    """The lines around a line, two below for each one above."""
    above, below = landing - 1, landing + 1
    while above >= 0 or below < count:
        for _ in range(2):
            if below < count:
                yield below
                below += 1
        if above >= 0:
            yield above
            above -= 1


def _place(hit: Hit, several: bool) -> str:
    name = f"  {_named(hit.symbol)}" if hit.symbol else ""
    span = f" (lines {hit.start_line + 1}-{hit.end_line + 1})"
    return f"{_where(hit.folder, hit.path, several)}:{hit.line + 1}{span}{name}"


def _where(folder: str, path: str, several: bool) -> str:
    """The relative path for a single folder, the absolute path for several."""
    return quoted(f"{folder}/{path}" if several else path)


def _named(symbol: SymbolInfo) -> str:
    return f"{symbol.kind} {visible(symbol.qualified)}"


def _covered(coverage: Coverage) -> str:
    files = f"{coverage.files_indexed} of {coverage.files_total} files"
    reason = f" ({visible(coverage.reason)})" if coverage.reason else ""
    return f"{coverage.state}, {files}{reason}"


def _folder(folder: FolderStatus) -> str:
    languages = sorted(folder.languages.items(), key=lambda item: (-item[1], item[0]))
    notes = [note for note in (folder.last_error, *folder.notes) if note]
    return "\n".join(
        [
            f"{quoted(folder.root)}: {folder.state}",
            f"  {folder.files_indexed} of {folder.files_total} files, {folder.chunks} chunks,"
            f" {folder.chunks_embedded} with vectors",
            f"  languages: {', '.join(f'{name} {count}' for name, count in languages) or 'none'}",
            f"  model: {folder.model or 'none, keywords only'}",
            f"  written by {'this process' if folder.writer else 'another process, such as the editor'}",
            *(f"  note: {visible(note)}" for note in notes),
        ]
    )


def _shortened(line: str, most: int = _LONGEST_LINE) -> str:
    return line if len(line) <= most else line[: most - 1] + _CUT
