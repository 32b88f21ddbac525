"""Code that has to do with a place: what it calls, what calls it, what is like it, what tests it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightline.errors import stop_if
from sightline.search import hits
from sightline.search.graph import Neighbours, tests_of
from sightline.search.hits import ReadSource
from sightline.stores.image import Image
from sightline.types import Hit
from sightline.words import lines_of, tokens

Floats = NDArray[np.float32]

# What a reason is worth before likeness counts: a known relation says more than looking alike.
_WORTH = {"called by": 0.5, "calls": 0.45, "test of": 0.45, "same name": 0.4, "similar": 0.0}
_LIKENESS = 0.5
# Names used in more chunks than this are everybody's; their users are not listed.
_MAX_USERS = 400
_MAX_DEFINITIONS = 40
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*", re.UNICODE)
# Below this two chunks are alike only in being code.
_MIN_SIMILAR = 0.3


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the question is asked: the chunk, the definition around it, and the word under the cursor."""

    file: int
    slots: tuple[int, ...]
    name: str
    word: str


class Related:
    """Answers `related` for one image."""

    def __init__(
        self, image: Image, embed: Callable[[str], Floats | None], read_source: ReadSource, folder: str
    ) -> None:
        self._image = image
        self._embed = embed
        self._read_source = read_source
        self._folder = folder

    def find(
        self,
        path: str,
        line: int,
        column: int,
        limit: int = 10,
        cancelled: Callable[[], bool] | None = None,
    ) -> list[Hit]:
        """Related places, best first, each once and with its reason; nothing for a file not indexed."""
        source = self._read_source(path)
        shown = source.text if source else ""
        with self._image.guard.reading():
            origin = self._origin(path, line, column, shown)
            if origin is None:
                return []
            vector = self._vector(origin, shown, line)
            stop_if(cancelled)
            places = self._places(origin, vector, limit)
        return [hits.to_hit(self._folder, place, self._read_source, "smart") for place in places]

    def _origin(self, path: str, line: int, column: int, text: str) -> Origin | None:
        number = self._image.file_number(path)
        if number is None or not self._image.files[number].slots:
            return None
        row = hits.enclosing_symbol(self._image, number, (line, line))
        span = (line, line)
        name = ""
        if row is not None:
            columns = self._image.symbols.columns
            span = int(columns["start_line"][row]), int(columns["end_line"][row])
            name = self._image.symbols.name(row)
        slots = self._slots_in(number, span) or tuple(self._image.files[number].slots[-1:])
        return Origin(number, slots, name, word_at(text, line, column))

    def _slots_in(self, number: int, span: tuple[int, int]) -> tuple[int, ...]:
        rows = self._image.rows
        return tuple(
            slot
            for slot in self._image.files[number].slots
            if rows["start_line"][slot] <= span[1] and rows["end_line"][slot] >= span[0]
        )

    def _vector(self, origin: Origin, text: str, line: int) -> Floats | None:
        """The vector of the text around the cursor, as it is now."""
        rows, slot = self._image.rows, origin.slots[0]
        lines = lines_of(text)[rows["start_line"][slot] : rows["end_line"][slot] + 1]
        return self._embed("\n".join(lines)) if any(part.strip() for part in lines) else None

    def _places(self, origin: Origin, vector: Floats | None, limit: int) -> list[hits.Place]:
        reasons: dict[int, str] = {}
        for reason, slots in (
            ("calls", self._callees(origin)),
            ("called by", self._callers(origin.name, origin)),
            ("same name", self._namesakes(origin)),
            ("test of", self._tests(origin)),
            ("similar", self._similar(vector, 4 * limit)),
        ):
            for slot in slots:
                if slot not in origin.slots:
                    reasons.setdefault(slot, reason)
        found = np.array(list(reasons), np.int64)
        likeness = self._likeness(vector, found)
        scored = [
            (min(1.0, _WORTH[reasons[slot]] + _LIKENESS * max(0.0, alike)), slot)
            for slot, alike in zip(found.tolist(), likeness.tolist(), strict=True)
        ]
        best = self._without_copies(sorted(scored, key=lambda pair: (-pair[0], pair[1])), origin)[:limit]
        details = self._image.details([slot for _, slot in best])
        return [
            hits.take(
                self._image,
                slot,
                None,
                round(score, 6),
                "semantic" if reasons[slot] == "similar" else "keyword",
                details.get(slot),
                reason=reasons[slot],
            )
            for score, slot in best
        ]

    def _callees(self, origin: Origin) -> Iterable[int]:
        neighbours = Neighbours(self._image, _MAX_DEFINITIONS)
        if origin.word and origin.word != origin.name:
            yield from neighbours.defining(origin.word)
        details = self._image.details(list(origin.slots))
        for slot in origin.slots:
            if slot in details:
                for name in details[slot].calls:
                    yield from neighbours.defining(name)

    def _callers(self, name: str, origin: Origin) -> list[int]:
        terms = tokens(name)
        id = self._image.vocabulary.get(terms[0]) if terms else None
        if id is None or self._image.keywords.df(id) > _MAX_USERS:
            return []
        users = [int(slot) for slot in self._image.keywords.postings(id) if slot not in origin.slots]
        details = self._image.details(users)
        return [slot for slot in users if slot in details and name in details[slot].calls]

    def _namesakes(self, origin: Origin) -> list[int]:
        name = origin.name or origin.word
        rows = self._image.symbols.named(name) if name else []
        if len(rows) > _MAX_DEFINITIONS:
            return []
        columns = self._image.symbols.columns
        return [int(columns["slot"][row]) for row in rows if self._image.symbols.name(row) == name]

    def _tests(self, origin: Origin) -> list[int]:
        """In each test file of this file (or what this test file tests), the place that has the name most."""
        terms = tokens(origin.name)
        id = self._image.vocabulary.get(terms[0]) if terms else None
        mentions = set(self._image.keywords.postings(id).tolist()) if id is not None else set()
        found = []
        for number in tests_of(self._image, self._image.files[origin.file].path):
            slots = self._image.files[number].slots
            found.extend([slot for slot in slots if slot in mentions][:1] or slots[:1])
        return found

    def _similar(self, vector: Floats | None, count: int) -> list[int]:
        if vector is None or self._image.space is None:
            return []
        slots, cosines = self._image.space.chunks.top(vector, count, None)
        return [int(slot) for slot, near in zip(slots, cosines, strict=True) if near >= _MIN_SIMILAR]

    def _likeness(self, vector: Floats | None, slots: NDArray[np.int64]) -> Floats:
        if vector is None or self._image.space is None:
            return np.zeros(len(slots), np.float32)
        return self._image.space.chunks.cosines(vector, slots)

    def _without_copies(self, scored: list[tuple[float, int]], origin: Origin) -> list[tuple[float, int]]:
        contents = self._image.rows["content"]
        seen = {int(contents[slot]) for slot in origin.slots}
        kept = []
        for score, slot in scored:
            if int(contents[slot]) not in seen:
                seen.add(int(contents[slot]))
                kept.append((score, slot))
        return kept


def word_at(text: str, line: int, column: int) -> str:
    """The identifier at a position, or nothing."""
    lines = lines_of(text)
    if not 0 <= line < len(lines):
        return ""
    for found in _IDENTIFIER.finditer(lines[line]):
        if found.start() <= column <= found.end():
            return found.group()
    return ""
