"""The search terms of texts as numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.stores.catalog.vocabulary import Vocabulary
from sightline.words import counted

_TEXTS = st.lists(st.text("abAB_1 .(ß\n", max_size=40), max_size=6)


def _counts(vocabulary: Vocabulary, texts: Sequence[str]) -> list[dict[str, int]]:
    found = [(ids.tolist(), counts.tolist()) for ids, counts in vocabulary.counted(texts)]
    terms = {id: term for term, id in vocabulary.items()}
    return [{terms[id]: count for id, count in zip(*each, strict=True)} for each in found]


@given(st.lists(_TEXTS, max_size=4))
def test_texts_have_their_terms_and_how_often_each_occurs(batches: list[list[str]]) -> None:
    vocabulary = Vocabulary()
    for texts in batches:
        assert _counts(vocabulary, texts) == [counted(text) for text in texts]


def test_a_full_counter_starts_again_with_the_same_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sightline.identifier_ids._MOST_IDENTIFIERS", 10)
    vocabulary = Vocabulary()
    texts = [f"readFile{number} of {number % 7}" for number in range(60)]
    for text in texts * 2:
        assert _counts(vocabulary, [text]) == [counted(text)]
    assert len(vocabulary) == len({term for text in texts for term in counted(text)})


def test_more_occurrences_than_two_bytes_hold_count_as_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sightline.stores.catalog.term_counter._MAX_COUNT", 3)
    assert _counts(Vocabulary(), ["a a a a a b"]) == [{"a": 3, "b": 1}]
