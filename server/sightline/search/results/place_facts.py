"""What a hit shows of its place whatever was asked, kept until the index changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sightline.search.results.places import Label, Span
from sightline.search.symbol_rows import on_one_line
from sightline.stores.memory.file_table import FileEntry
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.symbol_table import SymbolFacts
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


def facts_of(memory: MemoryIndex, places: Sequence[tuple[int, Label]]) -> list[PlaceFacts]:
    """The facts of some chunks' places, read at once: each call of numpy costs about as much as a place."""
    files = memory.rows["file"].take([slot for slot, _ in places]).tolist()
    around = memory.symbols.smallest_around([label.span for _, label in places], files)
    named = [label.row for _, label in places if label.row is not None]
    symbols = memory.symbols.described({*named, *(row for row in around if row is not None)})
    signatures = memory.signatures(named)
    return [
        _facts(
            memory.files[file],
            span,
            None if row is None else symbols[row],
            signatures.get(row, "") if row is not None else "",
            None if outer is None else symbols[outer],
        )
        for (_, (row, span)), file, outer in zip(places, files, around, strict=True)
    ]


def _facts(
    file: FileEntry, span: Span, named: SymbolFacts | None, signature: str, around: SymbolFacts | None
) -> PlaceFacts:
    info, name_at, within = None, None, "" if around is None else around.qualified
    if named is not None:
        info = SymbolInfo(named.name, named.kind, named.container, on_one_line(signature))
        name_at, within = named.name_at, ""
    return PlaceFacts(
        path=file.path,
        language=file.language,
        span=span,
        enclosing=None if around is None else around.span,
        symbol=info,
        name_at=name_at,
        digest=file.digest,
        within=within,
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
        if fresh:
            known.update(zip(fresh, facts_of(memory, fresh), strict=True))
        return [known[place] for place in places]
