"""Names of symbols by their folded form: without case, underscores and plurals."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

import numpy as np

from sightline.stores.memory import strings
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.snapshot import Array
from sightline.stores.memory.strings import StringTable
from sightline.words import fold_all


class FoldedNames:
    """From folded names to the lower-cased names that fold to them; names are only ever added."""

    def __init__(self, names: Interner) -> None:
        self._names = names
        self._lock = threading.Lock()
        self._known = 0
        self._mapped = StringTable()
        self._mapped_codes = np.zeros(0, np.int32)
        self._mapped_starts = np.zeros(1, np.int64)
        # Few names share a folded form: a set for each would be a hundred thousand sets.
        self._first: dict[str, str] = {}
        self._others: dict[str, list[str]] = {}

    def use(self, arrays: Mapping[str, Array]) -> None:
        """Restore what `arrays` returned."""
        self._mapped = StringTable(arrays)
        self._mapped_codes, self._mapped_starts = arrays["codes"], arrays["starts"]
        self._first, self._others = {}, {}
        self._known = len(self._mapped_codes)

    def arrays(self) -> dict[str, Array]:
        """The arrays that `use` takes."""
        folded = fold_all(self._names.since(0))
        groups = {name: group for group, name in enumerate(dict.fromkeys(folded))}
        of_name = np.fromiter(map(groups.__getitem__, folded), np.int64, len(folded))
        codes, starts = strings.grouped(of_name, len(groups))
        return {"codes": codes, "starts": starts, **strings.pack(list(groups))}

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

    def like(self, folded: str) -> Iterable[str]:
        """The lower-cased names that fold to this."""
        names = [*self._others.get(folded, ())]
        if folded in self._first:
            names.append(self._first[folded])
        group = next(self._mapped.find(folded), None)
        if group is not None:
            codes = self._mapped_codes[self._mapped_starts[group] : self._mapped_starts[group + 1]]
            names += [self._names[code] for code in codes.tolist()]
        return sorted({name.lower() for name in names})
