"""One index of the small project for all tests of the search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sightline.search.symbol_finder import SymbolFinder
from sightline.stores.memory.memory_index import MemoryIndex
from tests.unit.search.small_index import (
    PROJECT,
    SmallRelated,
    SmallSearcher,
    build_memory,
    make_related,
    make_searcher,
)


@pytest.fixture(scope="package")
def project_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("search") / "project"


@pytest.fixture(scope="package")
def memory(project_folder: Path) -> Iterator[MemoryIndex]:
    built = build_memory(project_folder, PROJECT)
    yield built
    built.catalog.close()


@pytest.fixture
def searcher(memory: MemoryIndex, project_folder: Path) -> SmallSearcher:
    return make_searcher(memory, project_folder)


@pytest.fixture
def searcher_with(memory: MemoryIndex, project_folder: Path) -> Callable[..., SmallSearcher]:
    return lambda **settings: make_searcher(memory, project_folder, **settings)


@pytest.fixture
def related(memory: MemoryIndex, project_folder: Path) -> SmallRelated:
    return make_related(memory, project_folder)


@pytest.fixture
def symbols(memory: MemoryIndex, project_folder: Path) -> SymbolFinder:
    return SymbolFinder(memory, str(project_folder))
