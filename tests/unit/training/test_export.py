"""The exported table is equivalent to the trained one."""

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models

from sightline.embedding import load_embedder
from sightline.embedding.static_table import saturated as saturated_at_runtime
from training.encode import Encoder
from training.export import export, quantized
from training.saturation import saturated
from training.tokenizer import UNKNOWN, train_tokenizer, with_cuts


def test_int8_rows_with_their_weights_are_close_to_the_table() -> None:
    table = np.random.default_rng(1).normal(size=(50, 32)).astype(np.float32)
    table[3] = 0
    rows, weights = quantized(table)
    assert rows.dtype == np.int8
    assert np.abs(rows * weights[:, None] - table).max() < np.abs(table).max() / 200


def test_the_runtime_computes_the_sums_of_training(tmp_path: Path) -> None:
    words = [UNKNOWN, "read", "file", "socket"]
    tokenizer = with_cuts(
        Tokenizer(models.WordPiece({word: row for row, word in enumerate(words)}, unk_token=UNKNOWN))
    )
    table = np.random.default_rng(2).normal(size=(4, 16)).astype(np.float32)
    export(table, tokenizer, tmp_path, "test")
    sums = table[1] * 3 + table[2] * 1
    expected = sums / np.linalg.norm(sums)
    assert np.allclose(
        load_embedder(str(tmp_path)).embed_query("read readRead FILE read"), expected, atol=0.02
    )


@given(st.integers(1, 5000))
def test_training_and_runtime_saturate_in_the_same_way(count: int) -> None:
    assert saturated_at_runtime(np.array([count]))[0] == saturated(np.array([count], dtype=np.float32))[0]


def test_the_quick_encoder_agrees_with_the_tokenizer() -> None:
    texts = [
        "getHTTPResponse(snake_case, v2) // Parse the XMLHttpRequest2",
        "class FooBar: pass  # UTF8 decoding",
    ]
    tokenizer = train_tokenizer(texts * 10, 200)
    unknown = tokenizer.token_to_id(UNKNOWN)
    for text in texts:
        assert Encoder(tokenizer).ids(text) == [
            token for token in tokenizer.encode(text).ids if token != unknown
        ]
