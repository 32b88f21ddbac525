"""Near-duplicate results are shown once."""

from __future__ import annotations

import numpy as np

from sightline.search.stages.near_copies import alike, grams, unlike_texts, unlike_vectors

TEXT = "def read_file(path): with open(path) as handle: return handle.read().strip().lower().split(separator)"


def test_a_copy_with_a_small_change_is_similar_and_other_code_is_not() -> None:
    assert alike(grams(TEXT), grams(TEXT.replace("separator", "sep")), 0.7)
    assert not alike(grams(TEXT), grams("class Node: pass  # something else, with other words in it"), 0.7)


def test_short_texts_are_never_treated_as_duplicates() -> None:
    assert not alike(grams("return x"), grams("return x"), 0.7)


def test_near_duplicates_are_dropped_by_their_words_and_vectors() -> None:
    texts = [
        TEXT,
        TEXT + " # again",
        "import os, sys, json, re, time, math, random, pathlib, shutil",
    ]
    assert unlike_texts(3, texts.__getitem__, 0.7) == [0, 2]
    vectors = np.array([[1, 0], [0.99, 0.14], [0, 1], [0, 0]], np.float32)
    assert unlike_vectors(vectors, 0.85) == [0, 2, 3]
