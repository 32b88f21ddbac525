"""The first search and the first question about relations prepare nothing that grows with the index."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import FrameType

import pytest

from sightline.indexing.content import Content
from sightline.indexing.file_record import draft_file
from sightline.languages.table import detect
from sightline.relations.world import World
from sightline.search.engine import Searcher
from sightline.search.query.prepared_query import prepare
from sightline.settings.tree import SearchSettings
from sightline.stores.catalog.catalog import Catalog
from sightline.stores.memory.image import save_image
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.restore import load_memory
from sightline.types import SearchRequest

# Both have more matching chunks than a search ranks.
_FEW, _MANY = 700, 2800
_NAMES = 4


def _fill(catalog: Catalog, files: int) -> None:
    with catalog.writing():
        for number in range(files):
            path = f"part{number // 50}/load_{number}.py"
            names = [f"load_item{number}_{name}" for name in range(_NAMES)]
            text = "".join(f"def {name}(value):\n    return value\n\n\n" for name in names)
            content = Content(text, b"", len(text), 0, "utf-8")
            catalog.store([draft_file(path, content, detect(path, b"")).draft])


def _calls(work: Callable[[], object]) -> int:
    """How many functions are called."""
    counted = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def _search(memory: MemoryIndex) -> None:
    searcher = Searcher(memory, lambda: None, SearchSettings())
    found = searcher.search(prepare(SearchRequest("load an item")), lambda path: None)
    assert len(found.hits) == 10


def _relate(memory: MemoryIndex) -> None:
    world = World.of(memory)
    world.follow()
    assert [world.path(number) for number in world.with_stem("load_7")] == ["part0/load_7.py"]
    assert len(world.in_folder("part3")) == 50
    assert world.folders_named("part5") == ["part5"]


@pytest.fixture(scope="module")
def catalogs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, tuple[Catalog, Path]]]:
    made = {}
    for files in (_FEW, _MANY):
        folder = tmp_path_factory.mktemp(f"files{files}")
        catalog = Catalog(folder / "catalog.sqlite")
        _fill(catalog, files)
        save_image(load_memory(catalog, None), folder)
        made[files] = catalog, folder
    yield made
    for catalog, _ in made.values():
        with closing(catalog):
            pass


@pytest.mark.parametrize("work", [_search, _relate])
def test_the_first_time_takes_as_many_steps_in_a_large_index_as_in_a_small_one(
    catalogs: dict[int, tuple[Catalog, Path]], work: Callable[[MemoryIndex], None]
) -> None:
    work(load_memory(*catalogs[_FEW]))
    few = _calls(lambda: work(load_memory(*catalogs[_FEW])))
    many = _calls(lambda: work(load_memory(*catalogs[_MANY])))
    assert many < 1.2 * few
    # Without a snapshot it does have to be prepared, and is counted.
    catalog, _ = catalogs[_MANY]
    unprepared = load_memory(catalog, None)
    assert _calls(lambda: work(unprepared)) > 2 * many
