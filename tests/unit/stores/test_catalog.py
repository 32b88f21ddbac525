"""The catalog returns exactly what was stored."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from sightline.stores.catalog.catalog import Catalog
from sightline.stores.catalog.records import SkippedFile

_NAMES = st.text(st.characters(codec="utf-8"), max_size=20)
_SIZES = st.integers(-(2**63), 2**63 - 1)


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(_NAMES, _SIZES, max_size=8))
@example({'\x00\x1f"\\\u2028\U0001f600': -1, "": 0})
def test_columns_store_any_text_and_any_number(sizes: dict[str, int]) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        catalog = Catalog(Path(folder, "catalog.sqlite"))
        catalog.add_skipped(SkippedFile(path, "too large", size, 0) for path, size in sizes.items())
        found = dict(catalog.columns("skipped", ("path", "size")))
        catalog.close()
    assert dict(zip(found["path"], found["size"], strict=True)) == sizes
