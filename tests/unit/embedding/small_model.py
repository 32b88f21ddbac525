"""A model small enough to make for each test: eight words, four dimensions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models

from training.export import export
from training.tokenizer import UNKNOWN, with_cuts

_WORDS = (UNKNOWN, "read", "write", "file", "socket", "parse", "http", "response")


def make_small_model(folder: Path) -> Path:
    """Write a static table with its tokenizer and manifest."""
    vocabulary = {word: number for number, word in enumerate(_WORDS)}
    tokenizer = with_cuts(Tokenizer(models.WordPiece(vocabulary, unk_token=UNKNOWN)))
    table = np.random.default_rng(7).normal(size=(len(_WORDS), 4)).astype(np.float32)
    export(table, tokenizer, folder, "small")
    return folder
