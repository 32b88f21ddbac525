"""The search terms of a catalog as a snapshot stores them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from sightline.stores.catalog.vocabulary import Vocabulary
from sightline.stores.memory import strings
from sightline.stores.memory.snapshot import Array
from sightline.stores.memory.strings import StringTable


class MappedTerms:
    """Terms in mapped arrays, by ascending id."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self.ids: NDArray[np.uint32] = arrays["ids"]
        self._terms = StringTable(arrays)

    def find(self, term: str) -> int | None:
        """The id of a term."""
        at = next(self._terms.find(term), None)
        return None if at is None else int(self.ids[at])

    def items(self) -> Iterator[tuple[str, int]]:
        """Every term with its id."""
        return zip(self._terms, self.ids.tolist(), strict=True)


def term_arrays(vocabulary: Vocabulary) -> dict[str, Array]:
    """The arrays that `MappedTerms` takes."""
    terms = sorted(vocabulary.items(), key=lambda item: item[1])
    ids = np.fromiter((id for _, id in terms), np.uint32, len(terms))
    return {"ids": ids, **strings.pack([term for term, _ in terms])}
