"""A search on the command line loads only what a search needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

_UNUSED = (
    "asyncio",
    "chromadb",
    "fastembed",
    "lsprotocol",
    "multiprocessing",
    "onnxruntime",
    "pygls",
    "sightline.indexing.parsing",
    "sightline.lsp",
    "sightline.relations",
    "tree_sitter",
    "tree_sitter_language_pack",
)


@pytest.mark.parametrize("module", ["search_commands", "index_commands"])
def test_a_command_on_a_warm_index_imports_no_unused_library(module: str) -> None:
    code = f"import sys, sightline.cli, sightline.commands.{module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(_UNUSED).isdisjoint(done.stdout.split())
