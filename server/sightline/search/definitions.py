"""Which places define a name that the query mentions."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sightline.search.classify import Intent, Name
from sightline.search.constants import Tuning
from sightline.search.stopwords import STOPWORDS
from sightline.search.vocabulary import words
from sightline.stores.image import Image
from sightline.words import split, stem

_TYPES = words("class struct interface trait enum type object module namespace protocol")
_FUNCTIONS = words("function method constructor macro")
_VALUES = words("constant variable field property")
_WORD = re.compile(r"[^\W_][\w$]*", re.UNICODE)
_CONTAINER = re.compile(r"::|->|[./#>\s]+")
# `flat hash map` may be flat_hash_map; more words than this are never one name.
_MAX_JOINED = 4


@dataclass(frozen=True, slots=True)
class Definition:
    """A symbol row that defines a queried name, how well, and how many words of the query it is."""

    row: int
    slot: int
    file: int
    strength: float
    words: int
    name: str


def fold(name: str) -> str:
    """A name without case, underscores and plurals."""
    return "".join(stem(part) for part in split(name))


def parts(name: str) -> list[str]:
    """The stemmed words of a name."""
    return [stem(part) for part in split(name)]


class FoldedNames:
    """From folded names to the lower-cased names that fold to them; names are only ever added."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known = 0
        self._names: dict[str, set[str]] = {}

    def follow(self, image: Image) -> None:
        """Take in the names that came since the last time."""
        with self._lock:
            for code in range(self._known, len(image.names)):
                name = image.names[code]
                self._names.setdefault(fold(name), set()).add(name.lower())
            self._known = len(image.names)

    def like(self, folded: str) -> Iterable[str]:
        """The lower-cased names that fold to this."""
        return sorted(self._names.get(folded, ()))


def kind_weight(kind: str, tuning: Tuning) -> float:
    """How much defining something of this kind counts."""
    if kind in _TYPES:
        return tuning.kind_type
    if kind in _FUNCTIONS:
        return tuning.kind_function
    if kind in _VALUES:
        return tuning.kind_value
    return tuning.kind_impl if kind == "impl" else tuning.kind_other


def _container_factor(image: Image, row: int, wanted: str, tuning: Tuning) -> float:
    container = image.symbols.container(row)
    if not wanted:
        return tuning.nested if _is_nested(image, row, container) else 1.0
    parts = [part.lower() for part in _CONTAINER.split(container) if part]
    stem_matches = fold(wanted) == fold(
        image.files[image.symbols.columns["file"][row]].path.split("/")[-1].split(".")[0]
    )
    return 1.0 if wanted.lower() in parts or stem_matches else tuning.wrong_container


def _is_nested(image: Image, row: int, container: str) -> bool:
    """Whether a symbol is a member of a type; being in a namespace, module or package is not nesting."""
    if not container:
        return False
    last = [part for part in _CONTAINER.split(container) if part][-1:]
    columns = image.symbols.columns
    file = columns["file"][row]
    for other in image.symbols.named(last[0]) if last else ():
        if columns["file"][other] == file and image.symbols.kind(other) not in ("namespace", "module"):
            return True
    return False


def _rows(image: Image, name: str, folded: FoldedNames) -> list[tuple[int, bool]]:
    """The symbol rows of a name and whether they match it beyond case."""
    found = [(row, True) for row in image.symbols.named(name)]
    known = {row for row, _ in found}
    for other in folded.like(fold(name)):
        found.extend((row, False) for row in image.symbols.named(other) if row not in known)
    return found


def _definitions(
    image: Image, folded: FoldedNames, name: Name, words: int, tuning: Tuning
) -> list[Definition]:
    columns = image.symbols.columns
    found = []
    for row, exact in _rows(image, name.name, folded):
        strength = kind_weight(image.symbols.kind(row), tuning)
        strength *= _container_factor(image, row, name.container, tuning)
        if not exact:
            strength *= tuning.folded
        elif name.certain and image.symbols.name(row) != name.name:
            strength *= tuning.folded**0.5
        found.append(
            Definition(row, int(columns["slot"][row]), int(columns["file"][row]), strength, words, name.name)
        )
    return found


def joined_names(text: str) -> list[tuple[str, int]]:
    """Runs of two and more words of a text that may be one name in code, and single words; with lengths."""
    words = _WORD.findall(text)
    runs: list[tuple[str, int]] = []
    for length in range(_MAX_JOINED, 0, -1):
        for at in range(len(words) - length + 1):
            part = words[at : at + length]
            if part[0].lower() in STOPWORDS or part[-1].lower() in STOPWORDS:
                continue
            runs.append(("_".join(part), length))
    return runs


def find(image: Image, folded: FoldedNames, text: str, intent: Intent, tuning: Tuning) -> list[Definition]:
    """Every definition the query names, best first for each place."""
    folded.follow(image)
    found: list[Definition] = []
    for name in intent.names:
        found.extend(_definitions(image, folded, name, len(split(name.name)), tuning))
    if intent.kind != "symbol":
        seen = {fold(name.name) for name in intent.names}
        for joined, length in joined_names(text):
            if fold(joined) not in seen:
                seen.add(fold(joined))
                found.extend(_definitions(image, folded, Name(joined), length, tuning))
    return found


def best_by(definitions: Sequence[Definition], key: str) -> dict[int, float]:
    """The best strength by slot or by file."""
    best: dict[int, float] = {}
    for definition in definitions:
        place = getattr(definition, key)
        best[place] = max(best.get(place, 0.0), definition.strength)
    return best
