"""Files by their name and by their folder, for resolving imports."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import numpy as np

from sightline.stores.memory.file_table import FileTable
from sightline.stores.memory.snapshot import Array, Arrays, below, prefixed
from sightline.stores.memory.strings import RowsByName, pack_rows


class _Numbers:
    """Numbers of files by a string: mapped ones, and those that were added later."""

    def __init__(self) -> None:
        self._mapped = RowsByName()
        self._later: dict[str, list[int]] = {}

    def use(self, arrays: Mapping[str, Array]) -> None:
        self._mapped, self._later = RowsByName(arrays), {}

    def add(self, text: str, number: int) -> None:
        self._later.setdefault(text, []).append(number)

    def of(self, text: str) -> list[int]:
        return [*self._mapped.of(text), *self._later.get(text, ())]


class FilePlaces:
    """Numbers of files by stem and by folder, also of removed files; files are only ever added."""

    def __init__(self, files: FileTable) -> None:
        self._files = files
        self._lock = threading.Lock()
        self._known = 0
        self._stems, self._folders = _Numbers(), _Numbers()
        # For each folder with this name, the number of its first file.
        self._folder_names = _Numbers()

    def use(self, arrays: Mapping[str, Array], files: int) -> None:
        """Restore what `arrays` returned for this many files."""
        for part, numbers in self._parts().items():
            numbers.use(below(part, arrays))
        self._known = files

    def arrays(self) -> Arrays:
        """What `use` takes, for all files."""
        parts = [_folder_and_stem(path) for path in self._files.paths()]
        folders = [folder for folder, _ in parts]
        first: dict[str, int] = {}
        for number, folder in enumerate(folders):
            first.setdefault(folder, number)
        names = pack_rows([_name(folder) for folder in first])
        firsts = np.fromiter(first.values(), np.int32, len(first))
        return {
            **prefixed("stems", pack_rows([stem for _, stem in parts])),
            **prefixed("folders", pack_rows(folders)),
            **prefixed("folder_names", {**names, "rows": firsts[names["rows"]]}),
        }

    def follow(self) -> None:
        """Add the files that are new since the last call."""
        with self._lock:
            for number, path in enumerate(self._files.paths_since(self._known), self._known):
                folder, stem = _folder_and_stem(path)
                self._stems.add(stem, number)
                if not self._folders.of(folder):
                    self._folder_names.add(_name(folder), number)
                self._folders.add(folder, number)
                self._known = number + 1

    def with_stem(self, stem: str) -> list[int]:
        """The files whose name up to the first dot is `stem`."""
        return self._stems.of(stem)

    def in_folder(self, folder: str) -> list[int]:
        """The files directly in a folder."""
        return self._folders.of(folder)

    def folders_named(self, name: str) -> list[str]:
        """The folders with this name that have had an indexed file directly in them."""
        return [_folder_and_stem(self._files.path(number))[0] for number in self._folder_names.of(name)]

    def _parts(self) -> dict[str, _Numbers]:
        return {"stems": self._stems, "folders": self._folders, "folder_names": self._folder_names}


def _folder_and_stem(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder, name.partition(".")[0]


def _name(folder: str) -> str:
    return folder.rpartition("/")[2]
