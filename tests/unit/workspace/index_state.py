"""The content of an index, in a form in which two indexes can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sightline.folder import Folder
from sightline.indexing.events import Event, Listener, Message
from sightline.relations.graph import Graph
from sightline.relations.world import World
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.vocabulary import unpack
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.workspace import Workspace

TIMEOUT = 120.0


def opened(root: Path, editor: Mapping[str, object] | None = None) -> tuple[Workspace, Folder]:
    """A workspace with one indexed folder."""
    workspace = Workspace()
    folder = workspace.add_folder(root, editor)
    assert folder.wait_idle(TIMEOUT)
    return workspace, folder


def memory_of(folder: Folder) -> MemoryIndex:
    """The memory index of an open folder."""
    assert folder.memory is not None
    return folder.memory


def state(folder: Folder) -> dict[str, Any]:
    """Everything stored, without ids and times."""
    memory = memory_of(folder)
    catalog = memory.catalog
    terms = {id: term for term, id in catalog.vocabulary().items()}
    return {
        "counts": (memory.files.tally("language"), memory.files.tally("parse"), memory.files.noted()),
        "counted": _counted(catalog),
        "files": {
            path: (file.digest, file.language, file.parse, file.note)
            for path, file in catalog.files().items()
        },
        "skipped": {path: note.reason for path, note in catalog.skipped().items()},
        "chunks": {path: _chunks(catalog, file.id, terms) for path, file in catalog.files().items()},
        "symbols": {path: catalog.symbols_of(file.id) for path, file in catalog.files().items()},
        "facts": {path: catalog.facts_of([file.id])[file.id] for path, file in catalog.files().items()},
        "relations": relations(World(memory)),
        "memory": memory_state(memory),
    }


def _counted(catalog: Catalog) -> tuple[Counter[str], Counter[str], int]:
    """What a status counts in memory, counted in the catalog."""
    files = catalog.files().values()
    noted = sum(bool(file.note) for file in files)
    return Counter(file.language for file in files), Counter(file.parse for file in files), noted


def relations(world: World) -> set[tuple[str, str, str, str, int, str]]:
    """Every call that resolves to a definition: file and path of both ends, the line, and the certainty."""
    memory = world.memory
    with memory.guard.reading():
        graph = Graph(world)
        sites = [
            site
            for number in memory.files.numbers()
            for site in graph.callees(number, range(len(world.facts(number).scopes)))
        ]
        return {
            (
                world.path(site.file),
                world.path_of(site.caller) if site.caller is not None else "",
                world.path(world.file_of(site.callee)),
                world.path_of(site.callee),
                site.line,
                site.confidence,
            )
            for site in sites
        }


def memory_state(memory: MemoryIndex) -> dict[str, Any]:
    """What the memory index answers from, by place instead of by slot."""
    with memory.guard.reading():
        places = {}
        for number in memory.files.numbers():
            entry = memory.files[number]
            for slot in entry.slots:
                row = {
                    name: memory.rows[name][slot].item()
                    for name in ("start_line", "end_line", "key", "embedded")
                }
                places[entry.path, int(memory.rows["ordinal"][slot])] = (memory.symbol(slot), row)
        return {
            "places": places,
            "symbols": {memory.files[n].path: _symbols(memory, n) for n in memory.files.numbers()},
            "keywords": _keyword_scores(memory),
            "vectors": _vector_sums(memory),
        }


def _symbols(memory: MemoryIndex, number: int) -> list[Any]:
    """The symbols of a file in order, each found by its name."""
    table = memory.symbols
    found: list[Any] = []
    for row in table.of_file(number):
        assert row in table.named(table.name(row).upper())
        lines = tuple(
            int(table.columns[name][row]) for name in ("start_line", "end_line", "name_line", "name_column")
        )
        place = _place(memory, int(table.columns["slot"][row]))
        found.append((table.name(row), table.kind(row), table.container(row), lines, place))
    return found


def _chunks(catalog: Catalog, file_id: int, terms: dict[int, str]) -> list[Any]:
    rows = sorted(catalog.rows(file_id), key=lambda row: row[2])
    details = catalog.details([row[0] for row in rows])
    packed = {id: unpack(blob) for id, blob in catalog.terms([row[0] for row in rows])}
    found = []
    for row in rows:
        ids, counts = packed[row[0]]
        words = {terms[id]: count for id, count in zip(ids.tolist(), counts.tolist(), strict=True)}
        detail = details[row[0]]
        found.append((row[2:], detail.signature, detail.calls, detail.imports, words))
    return found


def _keyword_scores(memory: MemoryIndex) -> dict[str, dict[Any, float]]:
    """The BM25 scores of every known word that some chunk has."""
    answers: dict[str, dict[Any, float]] = {}
    for word in ("alpha", "def", "return", "import", "readm", "user"):
        id = memory.vocabulary.get(word)
        scores = memory.keywords.scores({id: 1.0}, memory.rows.size) if id else np.zeros(0)
        answers[word] = {
            _place(memory, int(slot)): round(float(scores[slot]), 4) for slot in np.flatnonzero(scores)
        }
    return answers


def _vector_sums(memory: MemoryIndex) -> dict[Any, float]:
    """A number that distinguishes each chunk's vector from the others."""
    if memory.space is None:
        return {}
    slots = np.flatnonzero(memory.rows["alive"] & memory.rows["embedded"])
    probe = np.linspace(-1, 1, memory.space.dim, dtype=np.float32)
    cosines = memory.space.chunks.cosines(probe, slots)
    return {
        _place(memory, int(slot)): round(float(near), 3) for slot, near in zip(slots, cosines, strict=True)
    }


def _place(memory: MemoryIndex, slot: int) -> tuple[str, int]:
    return memory.file_of(slot).path, int(memory.rows["ordinal"][slot])


def messages_into(texts: list[str]) -> Listener:
    """A listener that collects the texts of messages."""

    def listen(event: Event) -> None:
        if isinstance(event, Message):
            texts.append(event.text)

    return listen
