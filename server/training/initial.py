"""The starting point of training: the vectors of another static model, mapped to our vocabulary."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

_CONTINUATION = "##"


def initial_table(folder: Path, tokenizer: Tokenizer) -> NDArray[np.float32]:
    """Return a row for each of our tokens: the other model's row, or the sum of its rows for the pieces."""
    rows = load_file(folder / "model.safetensors")["embeddings"].astype(np.float32)
    theirs = Tokenizer.from_file(str(folder / "tokenizer.json"))
    known = theirs.get_vocab()
    table = np.zeros((tokenizer.get_vocab_size(), rows.shape[1]), dtype=np.float32)
    for token, row in tokenizer.get_vocab().items():
        table[row] = rows[known[token]] if token in known else _sum_of_pieces(token, theirs, rows)
    return _with_median_norm_one(table)


def _sum_of_pieces(token: str, theirs: Tokenizer, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    unknown = theirs.token_to_id("[UNK]")
    pieces = theirs.encode(token.removeprefix(_CONTINUATION), add_special_tokens=False).ids
    total: NDArray[np.float32] = rows[[piece for piece in pieces if piece != unknown]].sum(axis=0)
    return total


def _with_median_norm_one(table: NDArray[np.float32]) -> NDArray[np.float32]:
    norms = np.linalg.norm(table, axis=1)
    scaled: NDArray[np.float32] = (table / np.median(norms[norms > 0])).astype(np.float32)
    return scaled
