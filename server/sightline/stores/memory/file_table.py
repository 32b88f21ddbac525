"""The files of a memory index, by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sightline.arrays import Integers
from sightline.stores.catalog.records import FileState
from sightline.stores.memory import strings
from sightline.stores.memory.columns import Columns
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.snapshot import Array, Arrays, below, prefixed
from sightline.stores.memory.strings import StringTable

_TYPES: dict[str, DTypeLike] = {
    "id": np.int64,
    "key": np.int64,
    "language": np.int32,
    "parse": np.int32,
    "noted": np.bool_,
    "mtime_ns": np.int64,
    "digest": "V16",
    "alive": np.bool_,
    "embedded": np.bool_,
}


class FileEntry:
    """The current state of one file in the table; `slots` are those of its chunks, in text order."""

    __slots__ = ("_number", "_table")

    def __init__(self, table: FileTable, number: int) -> None:
        self._table = table
        self._number = number

    @property
    def id(self) -> int:
        """The file's id in the catalog."""
        return int(self._table.rows["id"][self._number])

    @property
    def path(self) -> str:
        """The file's path below the root."""
        return self._table.path(self._number)

    @property
    def language(self) -> str:
        """The language of the file."""
        return self._table.language(self._number)

    @property
    def mtime_ns(self) -> int:
        """When the file was last modified."""
        return int(self._table.rows["mtime_ns"][self._number])

    @property
    def digest(self) -> bytes:
        """The digest of the indexed text."""
        return bytes(self._table.rows["digest"][self._number])

    @property
    def slots(self) -> list[int]:
        """The slots of the file's chunks."""
        return self._table.slots(self._number)


class FileTable:
    """Files by number; the number of a removed file is not reused. Mapped files come first."""

    def __init__(self, names: Interner) -> None:
        self.rows = Columns(_TYPES)
        self.live = 0
        self._names = names
        self._mapped = StringTable()
        self._mapped_slots = np.zeros(0, np.int32)
        self._mapped_starts = np.zeros(1, np.int64)
        # Those of the mapped paths that were read: a search reads the same ones several times.
        self._read: dict[int, str] = {}
        self._later: list[str] = []
        self._numbers: dict[str, int] = {}
        # Slots of files that were added later, and of mapped files that changed.
        self._slots: dict[int, list[int]] = {}

    def use(self, arrays: Mapping[str, Array], size: int) -> None:
        """Restore what `arrays` returned."""
        self.rows.use(below("rows", arrays), size)
        self._mapped = StringTable(below("paths", arrays))
        self._mapped_slots, self._mapped_starts = arrays["slots"], arrays["starts"]
        self.live = int(np.count_nonzero(self.rows["alive"]))
        self._read, self._later, self._numbers, self._slots = {}, [], {}, {}

    def arrays(self) -> Arrays:
        """The arrays from which `use` restores the table."""
        slots, starts = strings.flattened([self.slots(number) for number in range(len(self))], np.int32)
        return {
            **prefixed("rows", self.rows.arrays()),
            **prefixed("paths", strings.pack(self.paths())),
            "slots": slots,
            "starts": starts,
        }

    def add(self, file: FileState) -> int:
        """Add a file with no chunks yet; returns its number."""
        number = self.rows.append(
            id=file.id,
            key=file.embed_key,
            language=self._names.code(file.language),
            parse=self._names.code(file.parse),
            noted=bool(file.note),
            mtime_ns=file.mtime_ns,
            digest=file.digest,
            alive=True,
            embedded=False,
        )
        self._later.append(file.path)
        self._numbers[file.path] = number
        self.live += 1
        return number

    def update(self, number: int, file: FileState) -> None:
        """Update the columns of a file."""
        rows = self.rows
        rows["id"][number] = file.id
        rows["language"][number] = self._names.code(file.language)
        rows["parse"][number] = self._names.code(file.parse)
        rows["noted"][number] = bool(file.note)
        rows["mtime_ns"][number] = file.mtime_ns
        rows["digest"][number] = file.digest
        if rows["key"][number] != file.embed_key:
            rows["key"][number] = file.embed_key
            rows["embedded"][number] = False

    def remove(self, number: int) -> None:
        """Remove a file."""
        self._numbers.pop(self.path(number), None)
        self._slots[number] = []
        self.rows["alive"][number] = False
        self.live -= 1

    def number(self, path: str) -> int | None:
        """The number of an indexed file."""
        number = self._numbers.get(path)
        if number is None:
            alive = self.rows["alive"]
            number = next((each for each in self._mapped.find(path) if alive[each]), None)
        return number

    def numbers(self) -> list[int]:
        """The numbers of the indexed files."""
        found: list[int] = np.flatnonzero(self.rows["alive"]).tolist()
        return found

    def path(self, number: int) -> str:
        """The path of a file number, also of a removed file."""
        path = self._read.get(number)
        if path is None:
            first = len(self._mapped)
            if number >= first:
                return self._later[number - first]
            path = self._read[int(number)] = self._mapped[number]
        return path

    def paths(self) -> list[str]:
        """The paths of all file numbers."""
        return [*self._mapped, *self._later]

    def paths_since(self, number: int) -> list[str]:
        """The paths from a file number on."""
        first = len(self._mapped)
        if number >= first:
            return self._later[number - first :]
        return [*self._mapped.since(number), *self._later]

    def language(self, number: int) -> str:
        """The language of a file."""
        return self._names[self.rows["language"][number]]

    def tally(self, column: Literal["language", "parse"]) -> dict[str, int]:
        """The number of files with each value of a column, by value."""
        codes, counts = np.unique(self.rows[column][self.rows["alive"]], return_counts=True)
        return dict(sorted(zip(map(self._names.__getitem__, codes), counts.tolist(), strict=True)))

    def noted(self) -> int:
        """The number of files with a note about how they were read."""
        return int(np.count_nonzero(self.rows["alive"] & self.rows["noted"]))

    def language_codes(self, languages: Iterable[str]) -> list[int]:
        """The codes of some languages in the `language` column."""
        return [code for language in languages if (code := self._names.find(language)) is not None]

    def slots(self, number: int) -> list[int]:
        """The slots of a file's chunks, in text order."""
        known = self._slots.get(number)
        if known is None:
            if number >= len(self._mapped):
                return []
            start, end = self._mapped_starts[number], self._mapped_starts[number + 1]
            # Cached, so that the list is made only once.
            known = self._slots.setdefault(number, self._mapped_slots[start:end].tolist())
        return known

    def set_slots(self, number: int, slots: Sequence[int]) -> None:
        """Replace the chunks of a file."""
        self._slots[number] = list(slots)

    def put_slots(self, slots: Integers, files: NDArray[np.int32]) -> None:
        """Set the chunks of all files of an empty table; `slots` are ordered by file and position."""
        bounds = np.searchsorted(files, np.arange(len(self) + 1)).tolist()
        ordered = slots.tolist()
        self._slots = {number: ordered[start:end] for number, (start, end) in enumerate(pairwise(bounds))}

    def __len__(self) -> int:
        return self.rows.size

    def __getitem__(self, number: int) -> FileEntry:
        return FileEntry(self, int(number))

    def __iter__(self) -> Iterator[FileEntry]:
        return (FileEntry(self, number) for number in range(len(self)))
