"""Finds the places that define a name the query mentions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from sightline.search.query.classify import Intent, Name
from sightline.search.query.stopwords import STOPWORDS
from sightline.search.ranking.constants import Tuning
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.wordlist import words
from sightline.words import fold, name_stems

TYPES = words("class struct interface trait enum type object protocol")
_MODULES = words("module namespace")
FUNCTIONS = words("function method constructor macro")
VALUES = words("constant variable field property")
_WORD = re.compile(r"[^\W_][\w$]*", re.UNICODE)
_CONTAINER = re.compile(r"::|->|[./#>\s]+")
# `flat hash map` may be flat_hash_map; a run of more words than this is never one name.
_MAX_JOINED = 4
_SPACES = words("namespace module package")
# A name with more definitions than this does not help to locate the place.
_MAX_CERTAIN = 400
_MAX_UNCERTAIN = 60
# Pasted text is not searched for names beyond this length.
_MAX_WORDS = 40
_CONTAINER_CACHE = 1 << 12


class NameMatch(NamedTuple):
    """A definition whose name was queried: the strength of the match, and the name's share of the query."""

    row: int
    slot: int
    file: int
    strength: float
    share: float
    name: str
    certain: bool

    def worth(self) -> float:
        """How strongly this definition suggests that the query refers to this place."""
        return self.strength * self.share


class Nesting:
    """Whether a name that a file defines is a type with members; cached per file and its symbol rows."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], tuple[range, bool]] = {}

    def is_type(self, memory: MemoryIndex, file: int, name: str) -> bool:
        """Whether one of a file's symbols of this name is more than a namespace."""
        rows, known = memory.symbols.of_file(file), self._known.get((file, name))
        # Rows never change: new symbols get new rows.
        if known is None or known[0] != rows:
            known = self._known[file, name] = rows, self._look_up(memory, rows, name)
        return known[1]

    def _look_up(self, memory: MemoryIndex, rows: range, name: str) -> bool:
        symbols, code = memory.symbols, memory.names.find(name)
        same = np.flatnonzero(symbols.columns["name"][rows.start : rows.stop] == code)
        return any(symbols.kind(rows.start + int(at)) not in _SPACES for at in same)


def kind_weight(kind: str, tuning: Tuning) -> float:
    """The weight of a definition of this kind."""
    if kind in TYPES or kind in _MODULES:
        return tuning.kind_type
    if kind in FUNCTIONS:
        return tuning.kind_function
    if kind in VALUES:
        return tuning.kind_value
    return tuning.kind_impl if kind == "impl" else tuning.kind_other


class NameFinder:
    """Finds the definitions of names in one memory index, for one query."""

    def __init__(self, memory: MemoryIndex, nesting: Nesting, tuning: Tuning) -> None:
        self._memory = memory
        self._nesting = nesting
        self._tuning = tuning

    def definitions(self, name: Name, share: float, folded: str) -> list[NameMatch]:
        """Every symbol of this name, with the weight of its definition."""
        rows = self._rows(name, folded)
        if not rows:
            return []
        inside = {row for row, _ in rows if name.container and self._is_inside(row, name.container)}
        columns = self._memory.symbols.columns
        slots, files = columns["slot"], columns["file"]
        return [
            NameMatch(
                row,
                int(slots[row]),
                int(files[row]),
                self._strength(row, exact, name, inside),
                share,
                name.name,
                name.certain,
            )
            for row, exact in rows
        ]

    def _rows(self, name: Name, folded: str) -> list[tuple[int, bool]]:
        """The symbol rows of a name, and whether each is equal to it when case is ignored."""
        symbols = self._memory.symbols
        found = dict.fromkeys(symbols.named(name.name), True)
        for other in self._memory.folded.like(folded):
            for row in symbols.named(other):
                found.setdefault(row, False)
        limit = _MAX_CERTAIN if name.certain else _MAX_UNCERTAIN
        return list(found.items()) if len(found) <= limit else []

    def _strength(self, row: int, exact: bool, name: Name, inside: set[int]) -> float:
        symbols, tuning = self._memory.symbols, self._tuning
        strength = kind_weight(symbols.kind(row), tuning)
        if inside:
            strength *= 1.0 if row in inside else tuning.wrong_container
        elif self._is_nested(row):
            strength *= tuning.nested
        if not exact:
            # Name and container together leave no doubt, in whatever style they are written.
            return strength if row in inside else strength * tuning.folded
        same = not name.certain or symbols.name(row) == name.name
        return strength if same else strength * tuning.other_case

    def _is_inside(self, row: int, wanted: str) -> bool:
        """Whether a symbol is in the container a query names: a type, a namespace or its file."""
        parts = [part for part in _CONTAINER.split(self._memory.symbols.container(row)) if part]
        path = self._memory.files[self._memory.symbols.columns["file"][row]].path
        module = path.rpartition("/")[2].partition(".")[0]
        return fold(wanted) in {fold(part) for part in (*parts[-1:], module)} or wanted in parts

    def _is_nested(self, row: int) -> bool:
        """Whether a symbol is a member of a type; a namespace, module or package does not count."""
        innermost = _innermost(self._memory.symbols.container(row))
        file = int(self._memory.symbols.columns["file"][row])
        return bool(innermost) and self._nesting.is_type(self._memory, file, innermost)


@lru_cache(maxsize=_CONTAINER_CACHE)
def _innermost(container: str) -> str:
    """The last name of a container path."""
    return next((part for part in reversed(_CONTAINER.split(container)) if part), "")


def _joined_names(text: str) -> list[tuple[Name, tuple[str, ...]]]:
    """The words of a sentence, and runs of them that may be one name, each with its stems."""
    sequence = _WORD.findall(text)[:_MAX_WORDS]
    stems = list(map(name_stems, sequence))
    informative = [word.lower() not in STOPWORDS for word in sequence]
    # A matching run is no accident.
    return [
        (Name("_".join(sequence[at:end]), certain=end - at > 1), tuple(chain.from_iterable(stems[at:end])))
        for length in range(_MAX_JOINED, 0, -1)
        for at, end in enumerate(range(length, len(sequence) + 1))
        if informative[at] and informative[end - 1]
    ]


def find(
    memory: MemoryIndex,
    nesting: Nesting,
    text: str,
    intent: Intent,
    idf: Mapping[str, float],
    tuning: Tuning,
) -> list[NameMatch]:
    """Every definition the query names: by its names, and in a sentence by its words, single and joined."""
    memory.folded.follow()
    finder = NameFinder(memory, nesting, tuning)
    if intent.kind == "symbol":
        return [found for name in intent.names for found in finder.definitions(name, 1.0, fold(name.name))]
    total = sum(idf.values()) or 1.0
    mentioned = [(name, name_stems(name.name)) for name in intent.names]
    names = {"".join(stems): (name, stems) for name, stems in reversed((*mentioned, *_joined_names(text)))}
    found = []
    for folded in memory.folded.known([*names]):
        name, stems = names[folded]
        share = min(1.0, sum(idf.get(stem, 0.0) for stem in stems) / total)
        found += finder.definitions(name, share, folded)
    return found


def best_by_file(definitions: Sequence[NameMatch]) -> dict[int, float]:
    """The best strength by file."""
    best: dict[int, float] = {}
    for definition in definitions:
        best[definition.file] = max(best.get(definition.file, 0.0), definition.strength)
    return best
