"""Definitions by name, as a symbol picker wants them."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sightline.errors import Cancelled
from sightline.search import noise
from sightline.search.matcher import match, match_container, qualified
from sightline.stores.image import Image
from sightline.types import Symbol, SymbolHit

# Types before functions before values, where the names match equally well.
_KIND_BONUS = {
    "class": 0.03, "struct": 0.03, "interface": 0.03, "trait": 0.03, "enum": 0.03, "type": 0.025,
    "object": 0.025, "module": 0.02, "namespace": 0.015, "function": 0.02, "method": 0.015, "macro": 0.015,
    "constructor": 0.005, "constant": 0.01, "variable": 0.005, "property": 0.005, "field": 0.0,
    "impl": -0.02, "section": -0.03, "test": -0.03, "block": -0.02,
}  # fmt: skip
# What tests and examples define is seldom what is looked for.
_ROLE_MALUS = 0.04
_CHECK_EVERY = 2048
# A prime below the 63 bits of a signed column, so that letters, digits and `_` keep apart.
_BITS = 61


def _letters(name: str) -> int:
    """Which characters a name has, as bits; different ones may share a bit, which only costs a comparison."""
    bits = 0
    for char in name.lower():
        bits |= 1 << ord(char) % _BITS
    return bits


class SymbolFinder:
    """Finds symbols of one image by name; keeps which letters each name has, to skip most names at once."""

    def __init__(self, image: Image, folder: str) -> None:
        self._image = image
        self._folder = folder
        self._lock = threading.Lock()
        self._bits = array("q")

    def find(self, query: str, limit: int, cancelled: Callable[[], bool] | None = None) -> list[SymbolHit]:
        """The best matches, best first; nothing for an empty query."""
        container, name = qualified(query)
        if not name or limit <= 0:
            return []
        with self._image.guard.reading():
            rows = self._image.symbols.alive()
            codes = self._image.symbols.columns["name"][rows]
            scores = self._name_scores(np.unique(codes), name, cancelled)
            found = [
                (self._score(int(row), scores[code], container), int(row))
                for row, code in zip(rows.tolist(), codes.tolist(), strict=True)
                if code in scores
            ]
            best = sorted((pair for pair in found if pair[0] > 0), key=self._order)[:limit]
            return [self._hit(row, score) for score, row in best]

    def _name_scores(
        self, codes: NDArray[np.int32], pattern: str, cancelled: Callable[[], bool] | None
    ) -> dict[int, float]:
        wanted = _letters(pattern)
        bits = self._letter_bits()
        likely = codes[(bits[codes] & wanted) == wanted].tolist()
        found: dict[int, float] = {}
        for at, code in enumerate(likely):
            if at % _CHECK_EVERY == 0 and cancelled is not None and cancelled():
                raise Cancelled("The symbol search was cancelled.")
            score = match(pattern, self._image.names[code])
            if score > 0:
                found[code] = score
        return found

    def _letter_bits(self) -> NDArray[np.int64]:
        with self._lock:
            for code in range(len(self._bits), len(self._image.names)):
                self._bits.append(_letters(self._image.names[code]))
            return np.array(self._bits, np.int64)

    def _score(self, row: int, name_score: float, container: str) -> float:
        symbols = self._image.symbols
        if container:
            around = match_container(container, self._around(row))
            if around <= 0:
                return 0.0
            name_score *= 0.7 + 0.3 * around
        score = name_score + _KIND_BONUS.get(symbols.kind(row), 0.0)
        path = self._image.files[symbols.columns["file"][row]].path
        return score - _ROLE_MALUS if noise.roles(path) else score

    def _around(self, row: int) -> str:
        """What a qualifier may name: the containers, and the file, which is a module in most languages."""
        symbols = self._image.symbols
        path = self._image.files[symbols.columns["file"][row]].path
        return f"{path.rpartition('.')[0]}.{symbols.container(row)}"

    def _order(self, pair: tuple[float, int]) -> tuple[float, int, str, int]:
        score, row = pair
        columns = self._image.symbols.columns
        path = self._image.files[columns["file"][row]].path
        return -round(score, 6), path.count("/"), path, int(columns["start_line"][row])

    def _hit(self, row: int, score: float) -> SymbolHit:
        columns, symbols = self._image.symbols.columns, self._image.symbols
        file = self._image.files[columns["file"][row]]
        symbol = Symbol(
            name=symbols.name(row),
            kind=symbols.kind(row),
            container=symbols.container(row),
            signature="",
            start_line=int(columns["start_line"][row]),
            end_line=int(columns["end_line"][row]),
            name_line=int(columns["name_line"][row]),
            name_column=int(columns["name_column"][row]),
            chunk=int(self._image.rows["ordinal"][columns["slot"][row]]),
        )
        return SymbolHit(self._folder, file.path, file.language, symbol, min(1.0, max(0.0, score)))
