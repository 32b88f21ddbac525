"""Roles and terms derived from file paths, as arrays by file number that grow as files are added."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline import file_roles
from sightline.arrays import Floats, Integers, Mask, distinct
from sightline.stores.memory.columns import Columns
from sightline.stores.memory.file_table import FileTable
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.snapshot import Array, Arrays, below, prefixed
from sightline.stores.memory.strings import spread_ranges
from sightline.words import fold, split, stem, tokens

# Folders are cached, since files of the same folder follow each other.
_FOLDER_CACHE = 1 << 10
_STEM_CACHE = 1 << 14


class PathTerms(NamedTuple):
    """Path terms of all files, one row per term of a file: the file's number, the term's id."""

    owners: Integers
    terms: Integers


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


_ROLE_TYPES = {
    # From the path alone; and the same without the folder that may be named after a testing tool.
    "roles": np.int32,
    "product_roles": np.int32,
    # The folder that may be named so, and the file's folder if its path has a version; 0 for none.
    "product": np.int32,
    "version": np.int32,
    "looks_like_test": np.bool_,
}
_TERM_TYPES = {"owner": np.int64, "term": np.int64}
_TERM_TABLES = ("stems", "compounds", "folders")
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


class PathTable:
    """Roles of all files and path terms of live ones, by file number; a number always keeps its path."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known = (0, 0)
        self._terms = Interner()
        self._folders = Interner()
        self._files = Columns(_ROLE_TYPES)
        # The folders with a version in their path, and those of them that belong to an older version.
        self._versions: NDArray[np.int32] = np.zeros(0, np.int32)
        self._old: list[int] = []
        self._tables = {name: Columns(_TERM_TYPES) for name in _TERM_TABLES}
        self.roles: NDArray[np.int32] = np.zeros(0, np.int32)
        self.stems = PathTerms(np.zeros(0, np.int64), np.zeros(0, np.int64))
        self.compounds = self.folders = self.stems
        # How much each term says about the files that have it in their names.
        self.stem_idf: Floats = np.zeros(0, np.float32)

    def use(self, arrays: Mapping[str, Array], sizes: Mapping[str, int]) -> None:
        """Restore what `arrays` and `sizes` returned."""
        self._versions, self._old = arrays["versions"], arrays["old"].tolist()
        # Makes `follow` rebuild its results; the old ones would keep the replaced arrays alive.
        self._known = (-1, -1)
        self._terms.use(below("terms", arrays))
        self._folders.use(below("folder_names", arrays))
        self._files.use(below("files", arrays), sizes["files"])
        for name, table in self._tables.items():
            table.use(below(name, arrays), sizes[name])

    def arrays(self) -> Arrays:
        """The arrays from which `use` restores the table; call after `follow`."""
        return {
            **prefixed("terms", self._terms.arrays()),
            **prefixed("folder_names", self._folders.arrays()),
            **prefixed("files", self._files.arrays()),
            "versions": self._versions,
            "old": np.array(self._old, np.int32),
            **{
                name: rows
                for prefix, table in self._tables.items()
                for name, rows in prefixed(prefix, table.arrays()).items()
            },
        }

    def sizes(self) -> dict[str, int]:
        """How many rows each part has."""
        return {"files": self._files.size, **{name: table.size for name, table in self._tables.items()}}

    def follow(self, files: FileTable) -> None:
        """Add the files that are new since the last call, and leave out removed ones."""
        with self._lock:
            # A number is assigned once and removed once, so these two values identify a state.
            state = len(files), files.live
            if state == self._known:
                return
            for number, path in enumerate(files.paths_since(self._files.size), self._files.size):
                self._add(number, path)
            alive = files.rows["alive"]
            whole = files.live == len(files)
            self.stems, self.compounds, self.folders = (
                _living(table, None if whole else alive) for table in self._tables.values()
            )
            frequency = np.bincount(self.stems.terms, minlength=len(self._terms))
            self.stem_idf = np.log((files.live + 1) / np.maximum(frequency, 1)).astype(np.float32)
            self.roles = self._by_all_paths(alive)
            self._known = state

    def ids(self, terms: Sequence[str]) -> list[int | None]:
        """The ids of terms, None for one that no path has."""
        known = self._terms.find_some(terms)
        return [known.get(term) for term in terms]

    def terms_of_stems(self, files: Integers) -> tuple[Integers, Integers]:
        """The terms in the names of some files, each with the position of its file."""
        # Rows are added file by file, so those of a file are next to each other.
        firsts, lasts = (self.stems.owners.searchsorted(files, side) for side in _SIDES)
        owners, rows = spread_ranges(firsts, lasts)
        return owners, self.stems.terms.take(rows)

    def own_roles(self, files: NDArray[np.int32]) -> NDArray[np.int32]:
        """The roles of files from their paths alone."""
        own: NDArray[np.int32] = self._files["roles"][files]
        return own

    @property
    def vocabulary(self) -> int:
        """How many path terms there are."""
        return len(self._terms)

    def _add(self, number: int, path: str) -> None:
        folder = path.rpartition("/")[0]
        product = file_roles.maybe_product_folder(path)
        roles = file_roles.roles(path)
        self._files.append(
            roles=roles,
            product_roles=file_roles.roles_below(path, product) if product else roles,
            product=self._folders.code(product),
            version=self._folders.code(folder if file_roles.has_version(folder) else ""),
            looks_like_test=bool(product) and file_roles.looks_like_test(path),
        )
        words = stem_terms(path)
        for name, terms in (
            ("stems", words),
            ("compounds", compound_terms(path, words)),
            ("folders", folder_terms(folder)),
        ):
            for term in terms:
                self._tables[name].append(owner=number, term=self._terms.code(term))

    def _by_all_paths(self, alive: Mask) -> NDArray[np.int32]:
        """The roles, including those that only all paths together show: older versions, test tool folders."""
        files, folders = self._files, len(self._folders)
        product = files["product"]
        within = np.bincount(product[alive], minlength=folders)
        tests = np.bincount(product[alive & files["looks_like_test"]], minlength=folders)
        is_product = (within > 0) & (tests == 0)
        is_product[0] = False
        roles = np.where(is_product[product], files["product_roles"], files["roles"])
        versions = distinct(files["version"][alive])
        if not np.array_equal(versions, self._versions):
            self._versions, self._old = versions, self._old_versions(versions.tolist())
        if self._old:
            roles[np.isin(files["version"], self._old)] |= file_roles.bit("old_version")
        return roles

    def _old_versions(self, codes: Sequence[int]) -> list[int]:
        """Of the folders with a version in their path, those that belong to an older version."""
        folders = {code: self._folders[code] for code in codes if code}
        # With a trailing slash, because `version_folders` expects paths of files.
        old = tuple(f"{each}/" for each in file_roles.version_folders(f"{f}/" for f in folders.values()))
        return [code for code, folder in folders.items() if f"{folder}/".startswith(old)] if old else []


def _living(table: Columns, alive: Mask | None) -> PathTerms:
    owners, terms = table["owner"], table["term"]
    kept = slice(None) if alive is None else alive[owners]
    return PathTerms(owners[kept], terms[kept])
