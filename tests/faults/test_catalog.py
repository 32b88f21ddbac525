"""A catalog that was cut, garbled, removed or is of another format is built again, and the user told once."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.faults.rig import CATALOG, Session, assert_true, session

from sightline.location import index_dir
from sightline.stores.schema import FORMAT

_PAGE = 4096
_TOLD = "The index was damaged"


def _cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _empty(file: Path) -> None:
    os.truncate(file, 0)


def _overwrite(file: Path, offset: int, size: int, seed: int = 1) -> None:
    with file.open("r+b") as raw:
        raw.seek(offset)
        raw.write(random.Random(seed).randbytes(size))


def _garble_header(file: Path) -> None:
    _overwrite(file, 0, 100)


def _garble_schema(file: Path) -> None:
    _overwrite(file, 100, _PAGE - 100)


def _garble_every_page_but_the_first(file: Path) -> None:
    _overwrite(file, _PAGE, file.stat().st_size - _PAGE)


_DAMAGES = (_cut, _garble_header, _garble_schema, _garble_every_page_but_the_first)


def _indexed(project: Path) -> Path:
    with session(project) as running:
        assert running.folder.state == "ready"
    return index_dir(project) / CATALOG


@pytest.mark.parametrize("damage", _DAMAGES)
def test_a_catalog_damaged_while_closed_is_built_again(project: Path, damage: Callable[[Path], None]) -> None:
    damage(_indexed(project))
    with session(project) as running:
        running.heal()
        assert running.told_about(_TOLD) == 1, running.told
        assert (running.index / "damaged" / CATALOG).exists()
        assert_true(running)


def test_an_empty_catalog_is_filled_again(project: Path) -> None:
    _empty(_indexed(project))
    with session(project) as running:
        assert_true(running)


def test_any_damaged_page_is_noticed_or_does_no_harm(project: Path) -> None:
    catalog = _indexed(project)
    sound = catalog.read_bytes()
    for page in range(1, len(sound) // _PAGE):
        catalog.write_bytes(sound)
        _overwrite(catalog, page * _PAGE, _PAGE, seed=page)
        with session(project) as running:
            running.heal()
            assert_true(running)
