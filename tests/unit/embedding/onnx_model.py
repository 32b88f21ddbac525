"""A real ONNX embedding model small enough to make for a test: a table of a few words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tests.unit.embedding.cross_encoder import WORDS, write_tokenizer

_DIM = 4


def make_onnx_model(folder: Path) -> Path:
    """Write a model that gives each token a row of a table."""
    write_tokenizer(folder)
    onnx.save(_table_model(), folder / "model.onnx")
    return folder


def _table_model() -> onnx.ModelProto:
    table = np.random.default_rng(7).normal(size=(len(WORDS), _DIM)).astype(np.float32)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "s"])
        for name in ("input_ids", "attention_mask")
    ]
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "table",
        inputs,
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["b", "s", _DIM])],
        [numpy_helper.from_array(table, "table")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
