"""What the path of each file says, as arrays by file number, grown as files come in."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sightline.search.ranking import file_roles
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.words import fold, split, stem, tokens

# Folders are remembered, since the files of one come together.
_FOLDER_CACHE = 1 << 10
_STEM_CACHE = 1 << 14


@dataclass(frozen=True, slots=True)
class PathTerms:
    """Path terms of all files, one row a term of a file: the file's number, the term's id."""

    owners: NDArray[np.int64]
    terms: NDArray[np.int64]


def stem_of(path: str) -> str:
    """The file name without its extensions: `moduleMocker.test.ts` -> moduleMocker.test."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


@lru_cache(maxsize=_STEM_CACHE)
def folded_stem(path: str) -> str:
    """The file name without its extensions, case, underscores and plurals."""
    return fold(stem_of(path))


def stem_terms(path: str) -> list[str]:
    """The distinct stemmed words of the file name, in order."""
    return list(dict.fromkeys(stem(part) for part in split(stem_of(path))))


def compound_terms(path: str, words: Collection[str]) -> list[str]:
    """The search terms of the file name that are more than one of its words."""
    return [term for term in dict.fromkeys(tokens(stem_of(path))) if term not in words]


@lru_cache(maxsize=_FOLDER_CACHE)
def folder_terms(folder: str) -> tuple[str, ...]:
    """The distinct search terms of the folder a file is in."""
    return tuple(dict.fromkeys(tokens(folder.rpartition("/")[2])))


class PathTable:
    """Roles of all files and path terms of the live ones, by file number; a number keeps its path."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known = (0, 0)
        self.live = 0
        self._ids: dict[str, int] = {}
        self._roles = array("i")
        self._stem = (array("q"), array("q"))
        self._compound = (array("q"), array("q"))
        self._folder = (array("q"), array("q"))
        self.roles: NDArray[np.int32] = np.zeros(0, np.int32)
        self.stems = PathTerms(np.zeros(0, np.int64), np.zeros(0, np.int64))
        self.compounds = self.folders = self.stems

    def follow(self, memory: MemoryIndex) -> None:
        """Take in the files that came since the last time, and leave out those that went."""
        files = memory.files
        with self._lock:
            # A number is given once and taken away once, so the two tell one state from another.
            state = len(files), memory.live_files
            if state == self._known:
                return
            for number in range(self._known[0], len(files)):
                self._add(number, files[number].path)
            alive = memory.file_rows["alive"]
            self.stems = _frozen(self._stem, alive)
            self.compounds = _frozen(self._compound, alive)
            self.folders = _frozen(self._folder, alive)
            self.roles = self._by_all_paths(memory)
            self._known, self.live = state, memory.live_files

    def ids(self, terms: Sequence[str]) -> list[int | None]:
        """The ids of terms, None for one that no path has."""
        return [self._ids.get(term) for term in terms]

    @property
    def vocabulary(self) -> int:
        """How many path terms there are."""
        return len(self._ids)

    def _add(self, number: int, path: str) -> None:
        self._roles.append(file_roles.roles(path))
        words = stem_terms(path)
        for table, terms in (
            (self._stem, words),
            (self._compound, compound_terms(path, words)),
            (self._folder, folder_terms(path.rpartition("/")[0])),
        ):
            for term in terms:
                table[0].append(number)
                table[1].append(self._ids.setdefault(term, len(self._ids)))

    def _by_all_paths(self, memory: MemoryIndex) -> NDArray[np.int32]:
        """The roles, with what only all paths together show: older versions, folders of test tools."""
        roles = np.array(self._roles, dtype=np.int32)
        paths = [memory.files[number].path for number in memory.file_numbers()]
        for folder in file_roles.product_folders(paths):
            for number in _below(memory, (f"{folder}/",)):
                roles[number] = file_roles.roles_below(memory.files[number].path, folder)
        old = file_roles.version_folders(paths)
        if old:
            roles[_below(memory, tuple(f"{folder}/" for folder in old))] |= file_roles.bit("old_version")
        return roles


def _below(memory: MemoryIndex, prefixes: tuple[str, ...]) -> list[int]:
    return [number for number, file in enumerate(memory.files) if file.path.startswith(prefixes)]


def _frozen(table: tuple[array[int], array[int]], alive: NDArray[np.bool_]) -> PathTerms:
    owners = np.array(table[0], dtype=np.int64)
    kept = alive[owners]
    return PathTerms(owners[kept], np.array(table[1], dtype=np.int64)[kept])
