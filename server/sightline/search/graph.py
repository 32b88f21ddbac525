"""Neighbours of the best places over calls, imports and links; one hop, and no hubs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from sightline.search.facts import stem_of
from sightline.stores.image import Image
from sightline.stores.records import ChunkDetails

_SEGMENT = re.compile(r"::|->|[./\\#:]+")


class Neighbours:
    """Resolves names and link targets of one image to slots; made for one query."""

    def __init__(self, image: Image, max_degree: int) -> None:
        self._image = image
        self._max_degree = max_degree

    def of(self, slot: int, details: ChunkDetails) -> list[int]:
        """The slots one hop from a chunk, each once, in the order it mentions them."""
        found: dict[int, None] = {}
        for name in details.calls:
            found.update(dict.fromkeys(self.defining(name)))
        for target in details.imports:
            found.update(dict.fromkeys(self.imported(self._image.file_of(slot).path, target)))
        found.pop(slot, None)
        return list(found)

    def defining(self, name: str) -> list[int]:
        """Where a called name is defined, unless it is defined all over the place."""
        rows = self._image.symbols.named(name)
        if not 0 < len(rows) <= self._max_degree // 10:
            return []
        return [int(self._image.symbols.columns["slot"][row]) for row in rows]

    def imported(self, path: str, target: str) -> list[int]:
        """The first chunk of the file an import or link leads to, or the definition it names."""
        number = self._linked_file(path, target)
        if number is not None:
            return self._image.files[number].slots[:1]
        last = [part for part in _SEGMENT.split(target) if part][-1:]
        return self.defining(last[0]) if last else []

    def _linked_file(self, path: str, target: str) -> int | None:
        relative = posixpath.normpath(posixpath.join(posixpath.dirname(path), target.partition("#")[0]))
        extension = posixpath.splitext(path)[1]
        dotted = target.strip(".").replace(".", "/").replace("::", "/")
        for candidate in (relative, relative + extension, dotted + extension, f"{relative}/index{extension}"):
            number = self._image.file_number(candidate)
            if number is not None:
                return number
        return None


def spread(image: Image, sources: Sequence[tuple[int, float]], max_degree: int) -> dict[int, float]:
    """By slot: the best score that leads there in one hop from the given places."""
    details = image.details([slot for slot, _ in sources])
    neighbours = Neighbours(image, max_degree)
    reached: dict[int, float] = {}
    for slot, score in sources:
        if slot not in details:
            continue
        near = neighbours.of(slot, details[slot])
        # Who points at many says little about each.
        worth = score / max(1.0, len(near) ** 0.5)
        for other in near[:max_degree]:
            reached[other] = max(reached.get(other, 0.0), worth)
    return reached


def tests_of(image: Image, path: str) -> Iterable[int]:
    """Files whose name is that of the given file and a test word, or the other way round."""
    own = _without_test_words(stem_of(path))
    for number in image.file_numbers():
        other = image.files[number].path
        if other != path and _without_test_words(stem_of(other)) == own:
            yield number


def _without_test_words(stem: str) -> str:
    return (
        re.sub(r"(?:^|[._-])(?:tests?|spec|specs)(?=$|[._-])|Tests?$|Spec$|^Test(?=[A-Z])", "", stem)
        .strip("._-")
        .lower()
    )
