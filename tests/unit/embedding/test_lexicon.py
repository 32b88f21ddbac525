"""The tokens that the packaged model reads in a text, and how often each counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from sightline.embedding.embedder import unit, unit_rows
from sightline.embedding.lexicon import Lexicon
from sightline.embedding.load_model import PACKAGED_FOLDER
from sightline.embedding.static_table import TableEmbedder, saturated

_TOKENIZER = Tokenizer.from_file(str(PACKAGED_FOLDER / "tokenizer.json"))
_UNKNOWN = _TOKENIZER.token_to_id("[UNK]")


def _known(text: str) -> list[int]:
    return [id for id in _TOKENIZER.encode(text, add_special_tokens=False).ids if id != _UNKNOWN]


_IDENTIFIERS = st.text("abzABZ019_ ", max_size=40)
_SAMPLES = st.sampled_from(["getHTTPResponse(snake_case, v2)", "x=1\ty.z\n", "größe", "aB" * 400, "x" * 60])


@given(st.lists(st.text() | _IDENTIFIERS | _SAMPLES, max_size=5))
@settings(deadline=None)
def test_texts_have_the_tokens_that_the_tokenizer_gives(texts: list[str]) -> None:
    ids, rows = Lexicon(_TOKENIZER, _UNKNOWN).ids(texts)
    assert ids.tolist() == [id for text in texts for id in _known(text)]
    assert rows.tolist() == [row for row, text in enumerate(texts) for _ in _known(text)]


@given(st.text() | _IDENTIFIERS | _SAMPLES)
@settings(deadline=None)
def test_a_query_has_the_tokens_of_a_text(text: str) -> None:
    lexicon = Lexicon(_TOKENIZER, _UNKNOWN)
    assert lexicon.ids_of(text) == lexicon.ids([text])[0].tolist()


@given(st.lists(st.floats(-100, 100, width=32), min_size=1, max_size=300))
def test_one_row_is_scaled_exactly_as_one_of_several(numbers: list[float]) -> None:
    row = np.array(numbers, np.float32)
    assert unit(row).tobytes() == unit_rows(np.stack([row, row]))[1].tobytes()


def test_cached_identifiers_give_the_same_tokens() -> None:
    lexicon = Lexicon(_TOKENIZER, _UNKNOWN)
    texts = ["def readFile(path)", "path.readFile()"]
    first, again = lexicon.ids(texts)[0], lexicon.ids(texts)[0]
    assert first.tolist() == again.tolist()


def test_the_eighth_occurrence_adds_less_than_the_second() -> None:
    assert saturated(np.array([1, 2, 3, 4, 7, 8])).tolist() == [1, 2, 2, 3, 3, 4]


def test_a_full_lexicon_is_emptied_and_vectors_stay_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sightline.identifier_ids._MOST_IDENTIFIERS", 300)
    rows = np.random.default_rng(1).integers(-9, 9, (_TOKENIZER.get_vocab_size(), 8)).astype(np.int8)
    weights = np.ones(len(rows), np.float32)
    model = TableEmbedder("test", rows, weights, _TOKENIZER, _UNKNOWN)
    texts = [f"read file{number}" for number in range(600)]
    assert np.allclose(model.embed(texts), [model.embed_query(text) for text in texts], atol=1e-6)
