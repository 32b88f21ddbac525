"""How widely the names of a file are used, after any edits."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.stores.catalog.catalog import Catalog
from sightline.stores.memory.image import save_image
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.stores.memory.restore import load_memory
from sightline.stores.memory.usage import whole_term
from sightline.words import tokens
from tests.unit.stores.edits import edit

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


def _plainly(memory: MemoryIndex, file: int) -> int:
    """Usage computed by its definition, without a cache."""
    symbols = memory.symbols
    names = [symbols.name(row) for row in symbols.of_file(file) if not symbols.container(row)]
    terms = [memory.vocabulary.get(tokens(name)[0]) for name in names]
    return max((memory.keywords.df(term) for term in terms if term), default=0)


@settings(max_examples=30, deadline=None)
@given(_EDITS)
def test_cached_usage_equals_a_new_count(edits: list[tuple[str, str | None]]) -> None:
    with _catalog() as catalog:
        memory = load_memory(catalog, None)
        for name, text in edits:
            edit(memory, f"{name}.py", text)
            files = np.array(sorted(memory.files.numbers()), np.int64)
            counts = np.array([_plainly(memory, file) for file in files.tolist()], np.float32)
            expected = np.log1p(counts) / max(float(np.log1p(counts).max(initial=0.0)), 1e-6)
            found = memory.usage.of(files, memory.vocabulary, memory.keywords, memory.generation)
            np.testing.assert_allclose(found, expected, rtol=1e-6)
            if text == "":
                catalog.forget_vocabulary()
            elif name == "b":
                save_image(memory, catalog._path.parent)


@given(st.text("aBcsS12_", max_size=12) | st.text("aB_", min_size=60, max_size=70) | st.text(max_size=12))
def test_the_whole_term_of_a_name_is_the_first_of_its_terms(name: str) -> None:
    assert whole_term(name) == (tokens(name) or [""])[0]
