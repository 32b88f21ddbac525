"""Neighbours of the best places over calls, imports and links; one hop, without hubs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from sightline.relations.graph import Graph
from sightline.relations.world import World
from sightline.stores.catalog.records import ChunkDetails
from sightline.stores.memory.memory_index import MemoryIndex


class Neighbours:
    """Resolves the calls and link targets of one memory index's chunks to slots; created per query."""

    def __init__(self, memory: MemoryIndex) -> None:
        self._memory = memory
        self._graph = Graph(World.of(memory))

    def of(self, slot: int, details: ChunkDetails) -> list[int]:
        """The slots one hop from a chunk, without duplicates, in the order it mentions them."""
        found = dict.fromkeys(self._called(slot))
        for target in details.imports:
            found.update(dict.fromkeys(self._linked(self._memory.file_of(slot).path, target)))
        found.pop(slot, None)
        return list(found)

    def _called(self, slot: int) -> Iterable[int]:
        """The slots of the definitions that a chunk calls."""
        first, last = self._memory.span(slot)
        for site in self._graph.callees_in(int(self._memory.rows["file"][slot]), range(first, last + 1)):
            yield int(self._memory.symbols.columns["slot"][site.callee])

    def _linked(self, path: str, target: str) -> list[int]:
        """The first chunk of the file that an import or link leads to."""
        relative = posixpath.normpath(posixpath.join(posixpath.dirname(path), target.partition("#")[0]))
        extension = posixpath.splitext(path)[1]
        dotted = target.strip(".").replace(".", "/").replace("::", "/")
        for candidate in (relative, relative + extension, dotted + extension, f"{relative}/index{extension}"):
            number = self._memory.file_number(candidate)
            if number is not None:
                return self._memory.files[number].slots[:1]
        return []


def spread(memory: MemoryIndex, sources: Sequence[tuple[int, float]], max_degree: int) -> dict[int, float]:
    """By slot, the best score that reaches it in one hop from the given places."""
    details = memory.details([slot for slot, _ in sources])
    neighbours = Neighbours(memory)
    reached: dict[int, float] = {}
    for slot, score in sources:
        if slot not in details:
            continue
        near = neighbours.of(slot, details[slot])
        # A place that points at many others says little about each.
        worth = score / max(1.0, len(near) ** 0.5)
        for other in near[:max_degree]:
            reached[other] = max(reached.get(other, 0.0), worth)
    return reached
