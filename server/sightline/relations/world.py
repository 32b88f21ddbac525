"""The files, symbols and facts of a memory index, for resolving relations."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary, ref

import numpy as np

from sightline.relations.facts import Facts
from sightline.stores.memory.memory_index import MemoryIndex

_CACHED_FILES = 4096
_NO_FACTS = Facts("")
_WORLDS: WeakKeyDictionary[MemoryIndex, World] = WeakKeyDictionary()
_WORLDS_LOCK = threading.Lock()


class World:
    """Reads a memory index and follows its changes; use it under the index's guard."""

    def __init__(self, memory: MemoryIndex) -> None:
        # A weak reference, because this object must not outlive its memory index.
        self._memory = ref(memory)
        self.symbols = memory.symbols
        self._facts: OrderedDict[int, tuple[list[int], Facts]] = OrderedDict()
        # Concurrent readers of a memory index share this object.
        self._lock = threading.Lock()

    @property
    def memory(self) -> MemoryIndex:
        """The memory index; the caller keeps it alive."""
        memory = self._memory()
        if memory is None:
            raise ReferenceError("the memory index no longer exists")
        return memory

    @classmethod
    def of(cls, memory: MemoryIndex) -> World:
        """The shared instance for a memory index."""
        with _WORLDS_LOCK:
            return _WORLDS.setdefault(memory, cls(memory))

    def follow(self) -> None:
        """Add the files that are new since the last call."""
        self.memory.places.follow()

    def path(self, number: int) -> str:
        """The path of a file."""
        return self.memory.files[number].path

    def language(self, number: int) -> str:
        """The language of a file."""
        return self.memory.files[number].language

    def number(self, path: str) -> int | None:
        """The number of an indexed file."""
        return self.memory.file_number(path)

    def with_stem(self, stem: str) -> list[int]:
        """The files whose name up to the first dot is `stem`."""
        return self._alive(self.memory.places.with_stem(stem))

    def in_folder(self, folder: str) -> list[int]:
        """The files directly in a folder."""
        return self._alive(self.memory.places.in_folder(folder))

    def has_folder(self, folder: str) -> bool:
        """Whether an indexed file is directly in a folder."""
        return bool(self.in_folder(folder))

    def folders_named(self, name: str) -> Sequence[str]:
        """The folders with this name that have had an indexed file directly in them."""
        return self.memory.places.folders_named(name)

    def _alive(self, numbers: Sequence[int]) -> list[int]:
        files, known = self.memory.files, self.memory.file_number
        return [number for number in numbers if known(files[number].path) == number]

    def facts(self, number: int) -> Facts:
        """The facts of a file."""
        self.load((number,))
        known = self._facts.get(number)
        return known[1] if known else _NO_FACTS

    def load(self, numbers: Iterable[int]) -> None:
        """Read the facts of some files at once."""
        files = self.memory.files
        missing: dict[int, int] = {}
        for number in numbers:
            known = self._facts.get(number)
            # Every change of a file replaces the list of its chunks.
            if known is None or known[0] is not files.slots(number):
                missing[files[number].id] = number
        if not missing:
            return
        packed = self.memory.catalog.facts_of(list(missing))
        with self._lock:
            for file_id, number in missing.items():
                self._facts[number] = (files.slots(number), Facts(packed.get(file_id, "")))
            while len(self._facts) > max(_CACHED_FILES, len(missing)):
                self._facts.popitem(last=False)

    def package(self, number: int) -> str:
        """The package that a file declares."""
        found = self.facts(number).bindings.get((0, "package"), ())
        return found[0].hint if found else ""

    def marks(self, row: int) -> frozenset[str]:
        """Attributes of a definition beside its name: decorators, `static`, that it is only a declaration."""
        number = self.file_of(row)
        scope = row - self.symbols.of_file(number).start + 1
        return frozenset(each.hint for each in self.facts(number).bindings.get((scope, "#"), ()))

    def file_of(self, row: int) -> int:
        """The number of the file that a symbol is in."""
        return int(self.symbols.columns["file"][row])

    def name_of(self, row: int) -> str:
        """The name of a symbol."""
        return self.symbols.name(row)

    def path_of(self, row: int) -> str:
        """The dotted path of a symbol inside its file."""
        container = self.symbols.container(row)
        return f"{container}.{self.symbols.name(row)}" if container else self.symbols.name(row)

    def kind_of(self, row: int) -> str:
        """The kind of a symbol."""
        return self.symbols.kind(row)

    def row(self, number: int, name: str, container: str) -> int | None:
        """The definition of a name in a container of a file; of several, the largest, which has the body."""
        names = self.memory.names
        code, around = names.find(name), names.find(container)
        if code is None or around is None:
            return None
        rows = self.symbols.of_file(number)
        columns = self.symbols.columns
        part = slice(rows.start, rows.stop)
        found = np.flatnonzero((columns["name"][part] == code) & (columns["container"][part] == around))
        if not len(found):
            return None
        if len(found) == 1:
            return rows.start + int(found[0])
        sizes = columns["end_line"][part][found] - columns["start_line"][part][found]
        return rows.start + int(found[np.argmax(sizes)])

    def at_path(self, number: int, path: str) -> int | None:
        """The definition at a dotted path of a file."""
        container, _, name = path.rpartition(".")
        return self.row(number, name, container)

    def canonical(self, row: int) -> int:
        """The row that represents all definitions of a path in a file."""
        found = self.row(self.file_of(row), self.symbols.name(row), self.symbols.container(row))
        return row if found is None else found

    def named(self, name: str) -> list[int]:
        """Every definition of a name."""
        code = self.memory.names.find(name)
        columns = self.symbols.columns
        return [row for row in self.symbols.named(name) if columns["name"][row] == code]
