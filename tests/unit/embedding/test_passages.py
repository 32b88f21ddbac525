"""The vector of a passage: that of its code, moved towards the vector of its location."""

from pathlib import Path

import numpy as np

from sightline.embedding import embed_passages, load_embedder
from sightline.passage import join as passage


def test_the_location_moves_the_vector_of_the_code_towards_it(small_model: Path) -> None:
    model = load_embedder(str(small_model))
    code, place = model.embed(["read file", "socket"])
    (vector,) = embed_passages(model, [passage("socket", "read file")])
    expected = code + 0.8 * place
    assert np.allclose(vector, expected / np.linalg.norm(expected), atol=1e-6)


def test_a_text_without_a_location_keeps_its_vector(small_model: Path) -> None:
    model = load_embedder(str(small_model))
    found = embed_passages(model, ["read file", passage("socket", "parse"), passage("", "http")])
    assert np.allclose(found[[0, 2]], model.embed(["read file", "http"]), atol=1e-6)


def test_passages_of_one_location_differ_by_their_code(small_model: Path) -> None:
    model = load_embedder(str(small_model))
    places = ["socket", "http", "socket"]
    texts = [passage(place, code) for place, code in zip(places, ["read", "read", "write"], strict=True)]
    together = embed_passages(model, texts)
    alone = np.concatenate([embed_passages(model, [text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-6)
    assert not np.allclose(together[0], together[2], atol=1e-2)


def test_vectors_of_passages_have_length_one_or_zero(small_model: Path) -> None:
    model = load_embedder(str(small_model))
    found = embed_passages(
        model, [passage("socket", "zebra"), passage("zebra", "read"), passage("zebra", "zebra")]
    )
    assert np.allclose(np.linalg.norm(found, axis=1), [1, 1, 0], atol=1e-6)
    assert embed_passages(model, []).shape == (0, model.dim)
