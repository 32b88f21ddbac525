"""What is cached about a memory index is released with it, and follows its updates."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

from sightline.relations.world import World
from tests.unit.search.small_index import build_memory, store_file


def test_the_cache_of_a_memory_index_does_not_keep_it_alive(tmp_path: Path) -> None:
    memory = build_memory(tmp_path / "project", {"a.py": "def f(): ...\n"}, vectors=False)
    assert World.of(memory) is World.of(memory)
    watched = ref(memory)
    del memory
    gc.collect()
    assert watched() is None


def test_the_facts_of_a_saved_file_are_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    memory = build_memory(folder, {"a.py": "def f():\n    g()\n"}, vectors=False)
    world = World.of(memory)
    number = memory.file_number("a.py")
    assert number is not None
    assert [call.name for call in world.facts(number).calls()] == ["g"]
    (folder / "a.py").write_text("def f():\n    h()\n")
    with memory.catalog.writing():
        store_file(memory.catalog, folder, "a.py")
    changed = memory.catalog.file("a.py")
    assert changed is not None
    memory.symbols.replace(number, memory.catalog.symbols_of(changed.id), memory.files[number].slots)
    assert [call.name for call in world.facts(number).calls()] == ["h"]
