"""Computes which chunks pass a query's filters."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Integers, Mask, distinct
from sightline.search.query.path_globs import name_pattern, path_pattern
from sightline.stores.memory.file_table import FileTable
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.types import Filters, ScopeFiles, TextMatches

_KEPT = 32


def _matching(paths: Sequence[str], globs: Sequence[str]) -> Mask:
    matches = path_pattern(*globs).fullmatch
    return np.fromiter((bool(matches(path)) for path in paths), np.bool_, len(paths))


def _in_scopes(paths: Sequence[str], scopes: Sequence[ScopeFiles]) -> Mask:
    found = (any(scope.has(path) for scope in scopes) for path in paths)
    return np.fromiter(found, np.bool_, len(paths))


class _PathMatches:
    """Which files pass filters by path; numbers keep their paths, so only new ones are ever checked."""

    def __init__(self) -> None:
        self._known: dict[Filters, Mask] = {}

    def of(self, files: FileTable, filters: Filters) -> Mask:
        """For each file, whether its path passes."""
        known = self._known.get(filters, np.zeros(0, np.bool_))
        if len(known) < len(files):
            known = np.concatenate([known, _passing(files.paths_since(len(known)), filters)])
            if len(self._known) >= _KEPT:
                self._known = {}
            self._known[filters] = known
        return known


def _passing(paths: Sequence[str], filters: Filters) -> Mask:
    passing = np.ones(len(paths), np.bool_)
    passing &= _matching(paths, filters.paths) if filters.paths else True
    passing &= ~_matching(paths, filters.exclude_paths) if filters.exclude_paths else True
    passing &= _in_scopes(paths, filters.within) if filters.within else True
    passing &= ~_in_scopes(paths, filters.outside) if filters.outside else True
    return passing


def _by_file(memory: MemoryIndex, filters: Filters, matches: _PathMatches) -> Mask:
    files = memory.files
    passing = np.ones(len(files), np.bool_)
    if filters.languages:
        passing &= np.isin(files.rows["language"], files.language_codes(filters.languages))
    if filters.paths or filters.exclude_paths or filters.within or filters.outside:
        passing &= matches.of(files, filters)
    by_slot: Mask = passing[memory.rows["file"]]
    return by_slot


def _symbol_rows(memory: MemoryIndex, filters: Filters) -> Integers:
    """The symbols of the requested kinds and names."""
    columns, rows = memory.symbols.columns, memory.symbols.alive()
    if filters.kinds:
        codes = [code for kind in filters.kinds if (code := memory.names.find(kind)) is not None]
        rows = rows[np.isin(columns["kind"][rows], codes)]
    if filters.name:
        codes = _name_codes(memory, columns["name"][rows], filters.name)
        rows = rows[np.isin(columns["name"][rows], codes)]
    return rows


def _name_codes(memory: MemoryIndex, codes: NDArray[np.int32], glob: str) -> list[int]:
    pattern = name_pattern(glob)
    return [int(code) for code in distinct(codes) if pattern.fullmatch(memory.names[code])]


def _by_symbol(memory: MemoryIndex, filters: Filters) -> Mask:
    """Chunks of a requested kind and name, or in which such a definition starts."""
    mask = np.zeros(memory.rows.size, np.bool_)
    mask[memory.symbols.columns["slot"][_symbol_rows(memory, filters)]] = True
    own = np.ones(memory.rows.size, np.bool_)
    if filters.kinds:
        own &= np.isin(memory.rows["kind"], [memory.names.find(kind) or -1 for kind in filters.kinds])
    if filters.name:
        own &= np.isin(memory.rows["symbol"], _name_codes(memory, memory.rows["symbol"], filters.name))
    return mask | own


def _by_text(memory: MemoryIndex, matches: TextMatches) -> Mask:
    """Chunks that start where a matching chunk started when the files were read."""
    mask = np.zeros(memory.rows.size, np.bool_)
    for path, starts in matches.starts.items():
        number = memory.file_number(path)
        slots = memory.files[number].slots if number is not None else []
        mask[[slot for slot in slots if int(memory.rows["start_line"][slot]) in starts]] = True
    return mask


class Masks:
    """Computes which slots pass the filters; caches the last masks because users repeat their filters."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._generation = -1
        self._masks: dict[tuple[Filters, ...], Mask] = {}
        self._path_matches = _PathMatches()

    def allowed(self, memory: MemoryIndex, filters: tuple[Filters, ...]) -> Mask | None:
        """The slots that pass every set of filters; None when there are no filters."""
        if not filters:
            return None
        with self._lock:
            if self._generation != memory.generation or len(self._masks) >= _KEPT:
                self._masks.clear()
                self._generation = memory.generation
            known = self._masks.get(filters)
        if known is None:
            known = allowed(memory, filters, self._path_matches)
            with self._lock:
                if self._generation == memory.generation:
                    self._masks[filters] = known
        return known


def allowed(memory: MemoryIndex, filters: Sequence[Filters], matches: _PathMatches | None = None) -> Mask:
    """The slots that pass every set of filters; `matches` is what earlier calls found out about paths."""
    mask: Mask = memory.rows["alive"].copy()
    for each in filters:
        if each.languages or each.paths or each.exclude_paths or each.within or each.outside:
            mask &= _by_file(memory, each, matches or _PathMatches())
        if each.matches is not None:
            mask &= _by_text(memory, each.matches)
        if each.kinds or each.name:
            mask &= _by_symbol(memory, each)
    return mask
