"""Reads the packaged model's files, a table and a tokenizer, without the runtime of other models."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_TYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2"), "I8": np.dtype("i1")}
_LENGTH_BYTES = 8
# As in training; no text that is embedded is longer.
_MOST_TOKENS = 512


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a safetensors file by name; ValueError if the file is not one."""
    data = path.read_bytes()
    start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    header = json.loads(data[_LENGTH_BYTES:start])
    return {name: _tensor(data, start, facts) for name, facts in header.items() if name != "__metadata__"}


def _tensor(data: bytes, start: int, facts: dict[str, Any]) -> NDArray[Any]:
    first, last = facts["data_offsets"]
    raw = memoryview(data)[start + first : start + last]
    found: NDArray[Any] = np.frombuffer(raw, _TYPES[facts["dtype"]]).reshape(facts["shape"])
    return found


def read_tokenizer(path: Path) -> tuple["Tokenizer", int | None]:
    """A tokenizer, and the id of its unknown token."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(max_length=_MOST_TOKENS)
    tokenizer.no_padding()
    unknown = getattr(tokenizer.model, "unk_token", None)
    return tokenizer, tokenizer.token_to_id(unknown) if unknown else None
