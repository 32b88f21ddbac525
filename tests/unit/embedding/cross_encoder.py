"""A real cross-encoder small enough to make for a test: it counts one word."""

from __future__ import annotations

import json
from pathlib import Path

import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "wanted", "other")


def make_cross_encoder(folder: Path) -> Path:
    """Write a model whose score of a text is the number of times `wanted` occurs in it."""
    write_tokenizer(folder)
    onnx.save(_counting_model(WORDS.index("wanted")), folder / "model.onnx")
    return folder


def write_tokenizer(folder: Path) -> None:
    """Write the tokenizer of a few words and the files that go with it."""
    folder.mkdir(parents=True)
    tokenizer = Tokenizer(models.WordLevel({word: id for id, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    for name, content in (
        ("config.json", {"pad_token_id": 0}),
        ("tokenizer_config.json", {"model_max_length": 512, "pad_token": "[PAD]"}),
        ("special_tokens_map.json", {"pad_token": "[PAD]", "unk_token": "[UNK]"}),
    ):
        (folder / name).write_text(json.dumps(content))


def _counting_model(wanted: int) -> onnx.ModelProto:
    integers = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "s"])
        for name in ("input_ids", "attention_mask")
    ]
    graph = helper.make_graph(
        [
            helper.make_node("Equal", ["input_ids", "wanted"], ["same"]),
            helper.make_node("Cast", ["same"], ["ones"], to=TensorProto.FLOAT),
            helper.make_node("ReduceSum", ["ones", "axis"], ["logits"], keepdims=1),
        ],
        "counter",
        integers,
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", 1])],
        [
            helper.make_tensor("wanted", TensorProto.INT64, [1], [wanted]),
            helper.make_tensor("axis", TensorProto.INT64, [1], [1]),
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
