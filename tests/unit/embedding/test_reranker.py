"""The cross-encoder, as far as it can be told without one on this machine."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from sightline.embedding.reranker import Reranker


def test_without_a_model_there_is_no_opinion_and_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reranker = Reranker(str(tmp_path), cache_dir=tmp_path)
    with caplog.at_level(logging.WARNING):
        assert reranker("query", ["text"]) is None
        assert not reranker.wait(60)
        assert reranker("query", ["text"]) is None
    assert len([record for record in caplog.records if "rerank_model" in record.getMessage()]) == 1
