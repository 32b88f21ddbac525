"""A model small enough to make for each test: eight words, four dimensions."""

from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models

from training.export import export
from training.tokenizer import UNKNOWN, with_cuts

WORDS = (UNKNOWN, "read", "write", "file", "socket", "parse", "http", "response")


@pytest.fixture
def small_model(tmp_path: Path) -> Path:
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = with_cuts(Tokenizer(models.WordPiece(vocabulary, unk_token=UNKNOWN)))
    table = np.random.default_rng(7).normal(size=(len(WORDS), 4)).astype(np.float32)
    folder = tmp_path / "small-model"
    export(table, tokenizer, folder, "small")
    return folder
