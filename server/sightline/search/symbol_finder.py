"""Finds definitions by name, for a symbol picker."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers
from sightline.errors import stop_if
from sightline.search.matcher import SUBSEQUENCE_TOP, match, match_container, match_start, qualified
from sightline.search.name_scores import NameScores, Scores
from sightline.search.symbol_rows import symbol_hit
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.name_letters import letters
from sightline.stores.memory.name_text import NameText
from sightline.types import SymbolHit

# Types before functions before values when the names match equally well.
_KIND_BONUS = {
    "class": 0.03, "struct": 0.03, "interface": 0.03, "trait": 0.03, "enum": 0.03, "type": 0.025,
    "object": 0.025, "module": 0.02, "namespace": 0.015, "function": 0.02, "method": 0.015, "macro": 0.015,
    "constructor": 0.005, "constant": 0.01, "variable": 0.005, "property": 0.005, "field": 0.0,
    "impl": -0.02, "section": -0.03, "test": -0.03, "block": -0.02,
}  # fmt: skip
_MOST_EXTRA = max(_KIND_BONUS.values())
# Users seldom look for definitions in tests and examples.
_ROLE_MALUS = 0.04
_CHECK_EVERY = 2048

Rows = Integers
Cancelled = Callable[[], bool] | None


class SymbolFinder:
    """Finds symbols of one memory index by name."""

    def __init__(self, memory: MemoryIndex, folder: str) -> None:
        self._memory = memory
        self._folder = folder
        self._text = NameText(memory.names)

    def find(self, query: str, limit: int, cancelled: Cancelled = None) -> list[SymbolHit]:
        """The best matches, best first; empty for an empty query."""
        container, name = qualified(query)
        if not name or limit <= 0:
            return []
        with self._memory.guard.reading():
            rows, scores = self._scored(name, container, limit, cancelled)
            if container:
                scores *= np.array([self._fits(int(row), container) for row in rows])
            scores = np.where(scores > 0, scores + self._extras(rows), 0.0)
            return [
                symbol_hit(self._memory, self._folder, row, min(1.0, max(0.0, score)))
                for score, row in self._best(rows, scores, limit)
            ]

    def _scored(self, name: str, container: str, limit: int, cancelled: Cancelled) -> tuple[Rows, Scores]:
        """The rows whose name matches, with scores; prefix matches only, if those alone fill the page."""
        rows = self._memory.symbols.alive()
        codes = self._memory.symbols.columns["name"][rows]
        likely = self._likely(codes, name)
        if not container:
            by_code = self._matched(likely, name, cancelled, prefixes=True)
            began = np.flatnonzero(by_code[codes] > 0)
            scores = by_code[codes[began]]
            if (scores + self._extras(rows[began]) > SUBSEQUENCE_TOP + _MOST_EXTRA).sum() >= limit:
                return rows[began], scores
        by_code = self._matched(likely, name, cancelled)
        found = np.flatnonzero(by_code[codes] > 0)
        return rows[found], by_code[codes[found]]

    def _likely(self, codes: NDArray[np.int32], pattern: str) -> Integers:
        """The codes of the names in use that contain every letter of the pattern."""
        (wanted,) = letters([pattern])
        known = self._memory.letters.all()
        used = np.zeros(len(known), np.bool_)
        used[codes] = True
        return np.flatnonzero(used & ((known & wanted) == wanted))

    def _matched(
        self, codes: Integers, pattern: str, cancelled: Cancelled, *, prefixes: bool = False
    ) -> Scores:
        """The scores of names by their code; of prefix matches only, if asked for."""
        found = np.zeros(len(self._memory.names), np.float64)
        for run in self._text.runs():
            inside = codes[(codes >= run.first) & (codes < run.first + len(run.ends))]
            plain = run.ascii(inside - run.first) & pattern.isascii()
            scores = NameScores(pattern, run, inside[plain] - run.first) if plain.any() else None
            if scores:
                found[inside[plain]] = scores.starts() if prefixes else scores.all(cancelled)
            self._match_each(found, inside[~plain], pattern, match_start if prefixes else match, cancelled)
        return found

    def _match_each(
        self,
        found: Scores,
        codes: Integers,
        pattern: str,
        matching: Callable[[str, str], float],
        cancelled: Cancelled,
    ) -> None:
        """Set the scores of names with other characters than ASCII, one by one."""
        names = self._memory.names
        for start in range(0, len(codes), _CHECK_EVERY):
            stop_if(cancelled)
            part = codes[start : start + _CHECK_EVERY]
            found[part] = [matching(pattern, names[code]) for code in part.tolist()]

    def _extras(self, rows: Rows) -> Scores:
        """The score that the kinds of symbols and the roles of their files add to a match."""
        columns, names, paths = self._memory.symbols.columns, self._memory.names, self._memory.paths
        paths.follow(self._memory.files)
        bonuses = np.zeros(len(names), np.float64)
        for kind, bonus in _KIND_BONUS.items():
            bonuses[names.find(kind) or 0] = bonus
        # The code 0 is that of the empty name, and of kinds that no symbol has.
        bonuses[0] = 0.0
        roles = paths.own_roles(columns["file"][rows])
        extras: Scores = bonuses[columns["kind"][rows]] - np.where(roles != 0, _ROLE_MALUS, 0.0)
        return extras

    def _fits(self, row: int, container: str) -> float:
        """The factor for a match when the query also names the container of the symbol."""
        around = match_container(container, self._context(row))
        return 0.7 + 0.3 * around if around > 0 else 0.0

    def _best(self, rows: Rows, scores: Scores, limit: int) -> list[tuple[float, int]]:
        rounded = np.round(scores, 6)
        least = max(0.0, float(np.partition(rounded, -limit)[-limit])) if len(rounded) > limit else 0.0
        above = np.flatnonzero((rounded > least) & (scores > 0))
        level = np.flatnonzero((rounded == least) & (scores > 0))
        level = self._first_by_place(rows, level, limit - len(above))
        kept = np.concatenate([above, level])
        pairs = zip(scores[kept].tolist(), rows[kept].tolist(), strict=True)
        return sorted(pairs, key=self._order)[:limit]

    def _first_by_place(self, rows: Rows, tied: Integers, count: int) -> Integers:
        """Those of equally good matches that come first by path and position, and all of the last file."""
        files = self._memory.symbols.columns["file"][rows[tied]]
        each, sizes = np.unique(files, return_counts=True)
        if len(tied) <= count or len(each) == 1:
            return tied
        path_of = self._memory.files.path
        paths = [path_of(number) for number in each.tolist()]
        order = sorted(range(len(each)), key=lambda at: (paths[at].count("/"), paths[at]))
        enough = int(np.searchsorted(np.cumsum(sizes[order]), count)) + 1
        kept: Integers = tied[np.isin(files, each[order[:enough]])]
        return kept

    def _context(self, row: int) -> str:
        """What a qualifier may match: the containers, and the file, which is a module in most languages."""
        symbols = self._memory.symbols
        path = self._memory.files[symbols.columns["file"][row]].path
        return f"{path.rpartition('.')[0]}.{symbols.container(row)}"

    def _order(self, pair: tuple[float, int]) -> tuple[float, int, str, int]:
        score, row = pair
        columns = self._memory.symbols.columns
        path = self._memory.files[columns["file"][row]].path
        return -round(score, 6), path.count("/"), path, int(columns["start_line"][row])
