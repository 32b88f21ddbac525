"""What a hit shows of its place whatever was asked, kept until the index changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sightline.search.results.places import Label, Span
from sightline.search.symbol_rows import symbol_info
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import SymbolInfo

# While somebody types, the answers have mostly the same places: some hundred bytes each.
_MOST_KEPT = 1 << 11


class PlaceFacts(NamedTuple):
    """Where a place is and what is defined there."""

    path: str
    language: str
    span: Span
    enclosing: Span | None
    symbol: SymbolInfo | None
    name_at: tuple[int, int] | None
    digest: bytes
    # The definition around a place that has no name of its own, such as a piece of a long one.
    within: str


def facts_of(memory: MemoryIndex, slot: int, label: Label) -> PlaceFacts:
    """The facts of a chunk's place."""
    file, (row, span), symbols = memory.file_of(slot), label, memory.symbols
    around = symbols.smallest_around(*span, symbols.of_file(int(memory.rows["file"][slot])))
    return PlaceFacts(
        path=file.path,
        language=file.language,
        span=span,
        enclosing=None if around is None else symbols.span(around),
        symbol=None if row is None else symbol_info(memory, row),
        name_at=None if row is None else symbols.name_at(row),
        digest=file.digest,
        within=symbols.qualified(around) if row is None and around is not None else "",
    )


class KnownFacts:
    """The facts of the places that were shown last."""

    def __init__(self, memory: MemoryIndex) -> None:
        self._memory = memory
        self._generation = -1
        self._known: dict[tuple[int, Label], PlaceFacts] = {}

    def of(self, slots: Sequence[int], labels: Sequence[Label]) -> list[PlaceFacts]:
        """The facts of some places. The caller must hold the memory index's guard."""
        memory = self._memory
        if memory.generation != self._generation or len(self._known) > _MOST_KEPT:
            self._generation, self._known = memory.generation, {}
        known, places = self._known, list(zip(slots, labels, strict=True))
        fresh = [place for place in places if place not in known]
        # All at once, from where `facts_of` finds them again.
        memory.signatures([label.row for _, label in fresh if label.row is not None])
        known.update((place, facts_of(memory, *place)) for place in fresh)
        return [known[place] for place in places]
