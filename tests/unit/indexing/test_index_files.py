"""The pages of a catalog are checked once after each write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sightline.indexing import index_files
from sightline.indexing.index_files import locate
from sightline.location import CACHE_VARIABLE
from sightline.stores.catalog.schema import CatalogDamaged
from tests.damage import overwrite


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The catalogs that are checked while the test runs."""
    found: list[Path] = []
    real: Callable[[Path], None] = vars(index_files)["check"]

    def note(catalog: Path) -> None:
        found.append(catalog)
        real(catalog)

    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(index_files, "check", note)
    return found


def test_a_catalog_that_was_not_written_is_not_checked_again(tmp_path: Path, checked: list[Path]) -> None:
    files = locate(tmp_path)
    files.load().catalog.close()
    for _ in range(3):
        files.check()
    assert checked == [files.catalog]
    stores = files.load()
    stores.catalog.set_meta("some", "thing")
    stores.catalog.close()
    files.check()
    assert checked == [files.catalog] * 2
    files.close()


def test_damage_after_a_successful_check_is_detected(tmp_path: Path) -> None:
    files = locate(tmp_path)
    files.load().catalog.close()
    files.check()
    overwrite(files.catalog, 4096, 4096, seed=1)
    for _ in range(2):
        with pytest.raises(CatalogDamaged):
            files.check()
    files.close()
