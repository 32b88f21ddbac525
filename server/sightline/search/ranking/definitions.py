"""Finds the places that define a name the query mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from sightline.search.query.classify import Intent, Name
from sightline.search.query.stopwords import STOPWORDS
from sightline.search.ranking.constants import Tuning
from sightline.stores.memory.interner import Interner
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
# About as many rows as a few hundred searches ask for.
_MOST_KNOWN = 1 << 14


class NameMatch(NamedTuple):
    """A definition whose name was queried: the strength of the match, and the name's share of the query."""

    row: int
    slot: int
    file: int
    strength: float
    share: float
    # How strongly this definition suggests that the query refers to this place: the product of both.
    worth: float
    name: str
    certain: bool


class Nesting:
    """Whether a symbol is a member of a type: a namespace, module or package does not count."""

    def __init__(self) -> None:
        # By symbol row: rows never change, and a file whose symbols change gets new ones for all of them.
        self._rows: dict[int, bool] = {}
        # By the first row of the file and the container, which the members of a type share.
        self._containers: dict[tuple[int, int], bool] = {}

    def is_nested(self, memory: MemoryIndex, row: int, file: int, container: int) -> bool:
        """Whether the file of a symbol defines its innermost container as more than a namespace."""
        known = self._rows.get(row)
        if known is None:
            if len(self._rows) >= _MOST_KNOWN:
                self._rows, self._containers = {}, {}
            known = self._rows[row] = self._in_type(memory, file, container)
        return known

    def _in_type(self, memory: MemoryIndex, file: int, container: int) -> bool:
        rows = memory.symbols.of_file(file)
        place = rows.start, container
        known = self._containers.get(place)
        if known is None:
            innermost = _innermost(memory.names[container])
            known = self._containers[place] = bool(innermost) and _is_type(memory, rows, innermost)
        return known


def _is_type(memory: MemoryIndex, rows: range, name: str) -> bool:
    symbols, code = memory.symbols, memory.names.find(name)
    same = (symbols.columns["name"][rows.start : rows.stop] == code).nonzero()[0]
    return any(symbols.kind(rows.start + at) not in _SPACES for at in same.tolist())


def kind_weight(kind: str, tuning: Tuning) -> float:
    """The weight of a definition of this kind."""
    if kind in TYPES or kind in _MODULES:
        return tuning.kind_type
    if kind in FUNCTIONS:
        return tuning.kind_function
    if kind in VALUES:
        return tuning.kind_value
    return tuning.kind_impl if kind == "impl" else tuning.kind_other


class _KindWeights(dict[int, float]):
    """The weight of a definition by the code of its kind; there are a dozen kinds and many definitions."""

    def __init__(self, names: Interner, tuning: Tuning) -> None:
        super().__init__()
        self._names = names
        self._tuning = tuning

    def __missing__(self, code: int) -> float:
        weight = self[code] = kind_weight(self._names[code], self._tuning)
        return weight


class _Wanted(NamedTuple):
    """A name to look up, its share of the query, and its folded form."""

    name: Name
    share: float
    folded: str


class _Match(NamedTuple):
    """A symbol row of a wanted name, whether it is equal when case is ignored, and in the wanted container.

    The last is None if the query names no container, or no symbol is in it.
    """

    name: Name
    share: float
    row: int
    exact: bool
    inside: bool | None


class NameFinder:
    """Finds the definitions of names in one memory index, for one query."""

    def __init__(self, memory: MemoryIndex, nesting: Nesting, tuning: Tuning) -> None:
        self._memory = memory
        self._nesting = nesting
        self._tuning = tuning
        self._kind_weights = _KindWeights(memory.names, tuning)

    def definitions(self, wanted: Sequence[_Wanted], like: Mapping[str, Sequence[str]]) -> list[NameMatch]:
        """Every symbol of some names, with its weight; `like` has the names by folded form."""
        matches = list(self._matches(wanted, like))
        rows, columns = np.array([match.row for match in matches], np.int64), self._memory.symbols.columns
        values = (columns[column].take(rows).tolist() for column in ("slot", "file", "kind", "container"))
        found = []
        for match, slot, file, kind, container in zip(matches, *values, strict=True):
            name, share, row, _, _ = match
            strength = self._strength(match, file, self._kind_weights[kind], container)
            worth = strength * share
            found.append(NameMatch(row, slot, file, strength, share, worth, name.name, name.certain))
        return found

    def _matches(self, wanted: Sequence[_Wanted], like: Mapping[str, Sequence[str]]) -> Iterator[_Match]:
        lowered = {each.name.name.lower() for each in wanted}.union(*like.values())
        named = self._memory.symbols.named_some([*lowered])
        for name, share, folded in wanted:
            lower = name.name.lower()
            same, others = named[lower], [named[other] for other in like.get(folded, ()) if other != lower]
            if sum(map(len, others), len(same)) <= (_MAX_CERTAIN if name.certain else _MAX_UNCERTAIN):
                rows = [*same, *chain.from_iterable(others)]
                inside = self._inside(rows, name)
                for at, row in enumerate(rows):
                    yield _Match(name, share, row, at < len(same), row in inside if inside else None)

    def _strength(self, match: _Match, file: int, strength: float, container: int) -> float:
        tuning, (name, _, row, exact, inside) = self._tuning, match
        if inside is not None:
            strength *= 1.0 if inside else tuning.wrong_container
        # The empty name has the code 0.
        elif container and self._nesting.is_nested(self._memory, row, file, container):
            strength *= tuning.nested
        if not exact:
            # Name and container together leave no doubt, in whatever style they are written.
            return strength if inside else strength * tuning.folded
        same = not name.certain or self._memory.symbols.name(row) == name.name
        return strength if same else strength * tuning.other_case

    def _inside(self, rows: Iterable[int], name: Name) -> set[int]:
        """Which symbols are in the container that a query names, if it names one."""
        return {row for row in rows if self._is_inside(row, name.container)} if name.container else set()

    def _is_inside(self, row: int, wanted: str) -> bool:
        """Whether a symbol is in a container: a type, a namespace or its file."""
        parts = [part for part in _CONTAINER.split(self._memory.symbols.container(row)) if part]
        path = self._memory.files[self._memory.symbols.columns["file"][row]].path
        module = path.rpartition("/")[2].partition(".")[0]
        return fold(wanted) in {fold(part) for part in (*parts[-1:], module)} or wanted in parts


@lru_cache(maxsize=_CONTAINER_CACHE)
def _innermost(container: str) -> str:
    """The last name of a container path."""
    return next((part for part in reversed(_CONTAINER.split(container)) if part), "")


class _SentenceNames:
    """The names in a sentence by their folded form: those it mentions, its words, and runs of them."""

    def __init__(self, text: str, intent: Intent) -> None:
        self._words = _WORD.findall(text)[:_MAX_WORDS]
        self._stems = list(map(name_stems, self._words))
        folded = list(map("".join, self._stems))
        # Only few of them are names: what is looked up is made of the others' folded forms alone.
        self._runs = {"".join(folded[at:end]): (at, end) for at, end in reversed(_runs(self._words))}
        self._mentioned = {"".join(name_stems(name.name)): name for name in reversed(intent.names)}
        self.folded = [*{**self._runs, **self._mentioned}]

    def name(self, folded: str) -> tuple[Name, Iterable[str]]:
        """The name of a folded form, and its stems."""
        mentioned = self._mentioned.get(folded)
        if mentioned is not None:
            return mentioned, name_stems(mentioned.name)
        at, end = self._runs[folded]
        # A matching run is no accident.
        name = Name("_".join(self._words[at:end]), certain=end - at > 1)
        return name, chain.from_iterable(self._stems[at:end])


def _runs(words: Sequence[str]) -> list[tuple[int, int]]:
    """Where the words, and runs of them that may be one name, begin and end; the longest first."""
    informative = [word.lower() not in STOPWORDS for word in words]
    return [
        (at, end)
        for length in range(_MAX_JOINED, 0, -1)
        for at, end in enumerate(range(length, len(words) + 1))
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
    if intent.kind == "symbol":
        wanted = [_Wanted(name, 1.0, fold(name.name)) for name in intent.names]
        like = memory.folded.like([each.folded for each in wanted])
    else:
        names, total = _SentenceNames(text, intent), sum(idf.values()) or 1.0
        like, wanted = memory.folded.like(names.folded), []
        for folded in like:
            name, stems = names.name(folded)
            share = min(1.0, sum(idf.get(stem, 0.0) for stem in stems) / total)
            wanted.append(_Wanted(name, share, folded))
    return NameFinder(memory, nesting, tuning).definitions(wanted, like) if wanted else []


def best_by_file(definitions: Sequence[NameMatch]) -> dict[int, float]:
    """The best strength by file."""
    best: dict[int, float] = {}
    for definition in definitions:
        best[definition.file] = max(best.get(definition.file, 0.0), definition.strength)
    return best
