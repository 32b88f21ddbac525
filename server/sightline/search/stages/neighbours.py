"""Raises what the best places call, import or link to; one hop, without hubs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

import numpy as np

from sightline.search.ranking.pipeline import Ranking
from sightline.search.ranking.signals import spread
from sightline.search.stages.stage import StageInput, rescored
from sightline.stores.catalog.records import ChunkDetails
from sightline.stores.memory.memory_index import MemoryIndex


def neighbours(ranking: Ranking, inputs: StageInput) -> Ranking:
    """Give the neighbours of the best places a share of the score of the place that leads to them."""
    memory, best = inputs.memory, ranking.order[: int(inputs.tuning.graph_sources)]
    sources = {int(ranking.candidates.slots[at]): float(ranking.scores[at]) for at in best}
    around, reached = _Neighbours(memory), dict[int, float]()
    for slot, details in memory.details(list(sources)).items():
        near = around.of(slot, details)
        # A place that points at many others says little about each.
        worth = sources[slot] / max(1.0, len(near) ** 0.5)
        for other in near[: int(inputs.tuning.graph_max_degree)]:
            reached[other] = max(reached.get(other, 0.0), worth)
    lifted = np.float32(inputs.tuning.graph) * spread(reached, ranking.candidates.slots)
    return rescored(ranking, ranking.scores + lifted)


class _Neighbours:
    """Resolves the calls and link targets of one memory index's chunks to slots; created per query."""

    def __init__(self, memory: MemoryIndex) -> None:
        # Imported here because the stage is off by default, and its import loads all name resolution.
        from sightline.relations.graph import Graph
        from sightline.relations.world import World

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
