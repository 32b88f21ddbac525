"""Names of symbols by their folded form: without case, underscores and plurals."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from sightline.stores.memory.interner import Interner
from sightline.stores.memory.snapshot import Array
from sightline.stores.memory.strings import RowsByName, pack_rows
from sightline.words import fold_all


class FoldedNames:
    """From folded names to the lower-cased names that fold to them; names are only ever added."""

    def __init__(self, names: Interner) -> None:
        self._names = names
        self._lock = threading.Lock()
        self._known = 0
        self._mapped = RowsByName()
        # Few names share a folded form: a set for each would be a hundred thousand sets.
        self._first: dict[str, str] = {}
        self._others: dict[str, list[str]] = {}

    def use(self, arrays: Mapping[str, Array], names: int) -> None:
        """Restore what `arrays` returned for this many names."""
        self._mapped, self._known = RowsByName(arrays), names
        self._first, self._others = {}, {}

    def arrays(self) -> dict[str, Array]:
        """The arrays that `use` takes."""
        return pack_rows(fold_all(self._names.since(0)))

    def follow(self) -> None:
        """Add the names that are new since the last call."""
        if self._known == len(self._names):
            return
        with self._lock:
            names = self._names.since(self._known)
            for folded, name in zip(fold_all(names), names, strict=True):
                if self._first.setdefault(folded, name) is not name:
                    self._others.setdefault(folded, []).append(name)
            self._known += len(names)

    def like(self, folded: Sequence[str]) -> dict[str, list[str]]:
        """For those of some folded names that a name folds to, in their order, these names in lower case."""
        mapped, first = self._mapped.of_some(folded), self._first
        return {
            name: self._like(name, mapped.get(name, ())) for name in folded if name in mapped or name in first
        }

    def _like(self, folded: str, mapped: Sequence[int]) -> list[str]:
        names = [self._names[code] for code in mapped]
        if folded in self._first:
            names += [self._first[folded], *self._others.get(folded, ())]
        return sorted({name.lower() for name in names})
