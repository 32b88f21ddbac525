"""How widely the names of a file are used, after any edits."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.indexing.content import Content
from sightline.indexing.draft import draft_file
from sightline.languages.table import detect
from sightline.search.ranking.usage import Usage, whole_term
from sightline.stores.catalog import Catalog
from sightline.stores.image import Image
from sightline.stores.loading import load_image
from sightline.words import tokens

_TEXTS = (
    "def alpha():\n    return 1\n",
    "def beta():\n    return alpha() + gamma_rays()\n",
    "class Gamma:\n    def alpha(self):\n        return beta()\n\n\ndef gamma_rays():\n    return Gamma()\n",
    "alpha()\nbeta()\n",
    "",
)
_EDITS = st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.sampled_from(_TEXTS)), max_size=12)


@contextmanager
def _catalog() -> Iterator[Catalog]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        catalog = Catalog(Path(folder, "catalog.sqlite"))
        yield catalog
        catalog.close()


def _edit(image: Image, path: str, text: str | None) -> None:
    catalog = image.catalog
    with catalog.writing():
        if text is None:
            change = catalog.remove(path)
        else:
            content = Content(text, b"", len(text), 0, "utf-8")
            change = catalog.store(draft_file(path, content, detect(path, b"")).draft)
    image.apply([change] if change else [], catalog.generation)


def _plainly(image: Image, file: int) -> int:
    """The definition of usage, without anything kept."""
    symbols = image.symbols
    names = [symbols.name(row) for row in symbols.of_file(file) if not symbols.container(row)]
    terms = [image.vocabulary.get(tokens(name)[0]) for name in names]
    return max((image.keywords.df(term) for term in terms if term), default=0)


@settings(max_examples=30, deadline=None)
@given(_EDITS)
def test_usage_that_was_kept_is_what_counting_anew_gives(edits: list[tuple[str, str | None]]) -> None:
    with _catalog() as catalog:
        image, usage = load_image(catalog, None), Usage()
        for name, text in edits:
            _edit(image, f"{name}.py", text)
            files = np.array(sorted(image.file_numbers()), np.int64)
            counts = np.array([_plainly(image, file) for file in files.tolist()], np.float32)
            expected = np.log1p(counts) / max(float(np.log1p(counts).max(initial=0.0)), 1e-6)
            np.testing.assert_allclose(usage.of(image, files), expected, rtol=1e-6)
            if text == "":
                catalog.forget_vocabulary()


@given(st.text("aBcsS12_", max_size=12) | st.text("aB_", min_size=60, max_size=70) | st.text(max_size=12))
def test_the_whole_term_of_a_name_is_the_first_of_its_terms(name: str) -> None:
    assert whole_term(name) == (tokens(name) or [""])[0]
