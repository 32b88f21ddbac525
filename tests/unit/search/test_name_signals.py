"""Signals from the names of definitions for a query."""

from __future__ import annotations

import numpy as np
import pytest

from sightline.search.ranking.name_signals import of_names
from sightline.search.ranking.retrieve import Term
from sightline.stores.memory.memory_index import MemoryIndex
from sightline.words import stem
from tests.unit.search.small_index import build_memory

FILES = {
    "count.go": "package a\n\nfunc countFailure(a int) int {\n\treturn a\n}\n",
    "pipe.py": "def strip_keys(body):\n    return body\n\n\ndef is_plain(body):\n    return body\n",
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> MemoryIndex:
    return build_memory(tmp_path_factory.mktemp("names") / "project", FILES, vectors=False)


def found(memory: MemoryIndex, query: str) -> dict[str, tuple[float, float]]:
    """The best name signals of the chunks of each path."""
    terms = [Term(stem(word), None, 1.0, at) for at, word in enumerate(query.split())]
    slots = np.flatnonzero(memory.rows["alive"]).astype(np.int64)
    signals = of_names(memory, slots, np.unique(memory.rows["file"][slots]), terms)
    pairs = zip(signals["name_share"].tolist(), signals["name_precision"].tolist(), strict=True)
    best: dict[str, tuple[float, float]] = {}
    for slot, pair in zip(slots.tolist(), pairs, strict=True):
        best[memory.file_of(slot).path] = max(best.get(memory.file_of(slot).path, (0.0, 0.0)), pair)
    return best


def test_a_name_is_scored_by_the_shares_of_words_in_common(memory: MemoryIndex) -> None:
    share, precision = found(memory, "strip the bodies")["pipe.py"]
    assert share == pytest.approx(1 / 3)
    assert precision == pytest.approx(1 / 2)


def test_words_in_another_form_match_by_their_prefix(memory: MemoryIndex) -> None:
    assert found(memory, "count failed")["count.go"] == (1.0, 1.0)


def test_every_name_of_a_chunk_counts(memory: MemoryIndex) -> None:
    assert found(memory, "plain")["pipe.py"] == (1.0, 0.5)


def test_a_name_without_words_of_the_query_has_no_signal(memory: MemoryIndex) -> None:
    assert found(memory, "socket")["pipe.py"] == (0.0, 0.0)


def test_no_chunks_have_no_signals(memory: MemoryIndex) -> None:
    signals = of_names(memory, np.zeros(0, np.int64), np.zeros(0, np.int64), [])
    assert [len(values) for values in signals.values()] == [0, 0]
