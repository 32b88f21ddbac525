"""What is cached about a memory index is released with it, and follows its updates."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

import pytest

from sightline.indexing.content import Content, read
from sightline.indexing.file_record import draft_file
from sightline.languages.table import detect
from sightline.relations.world import World
from tests.unit.search.small_index import build_memory


def test_the_cache_of_a_memory_index_does_not_keep_it_alive(tmp_path: Path) -> None:
    memory = build_memory(tmp_path / "project", {"a.py": "def f(): ...\n"}, vectors=False)
    assert World.of(memory) is World.of(memory)
    watched = ref(memory)
    del memory
    gc.collect()
    assert watched() is None


@pytest.mark.parametrize("text", ["def f():\n    {}()\n", "{}()\n"], ids=["definition", "no definition"])
def test_the_facts_of_a_saved_file_are_read_again(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "project"
    memory = build_memory(folder, {"a.py": text.format("g")}, vectors=False)
    world = World.of(memory)
    number = memory.file_number("a.py")
    assert number is not None
    assert [call.name for call in world.facts(number).calls()] == ["g"]
    (folder / "a.py").write_text(text.format("h"))
    content = read(folder, "a.py", 1 << 20)
    assert isinstance(content, Content)
    prepared = draft_file("a.py", content, detect("a.py", content.text.encode()))
    with memory.catalog.writing():
        (change,) = memory.catalog.store([prepared.draft])
    memory.apply([change], memory.catalog.generation)
    assert [call.name for call in world.facts(number).calls()] == ["h"]


def test_the_facts_of_a_file_are_read_once(tmp_path: Path) -> None:
    memory = build_memory(tmp_path / "project", {"a.py": "def f():\n    g()\n"}, vectors=False)
    world = World.of(memory)
    number = memory.file_number("a.py")
    assert number is not None
    assert world.facts(number) is world.facts(number)
