"""The cross-encoder: a real one made for the test, and what happens without one."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from sightline.embedding.reranker import Reranker
from tests.unit.embedding.cross_encoder import make_cross_encoder


def _wait(reranker: Reranker) -> None:
    assert reranker._loading is not None
    reranker._loading.join(60)


def test_without_a_model_there_are_no_scores_and_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reranker = Reranker(str(tmp_path), cache_dir=tmp_path)
    with caplog.at_level(logging.WARNING):
        assert reranker("query", ["text"]) is None
        _wait(reranker)
        assert reranker("query", ["text"]) is None
    assert len([record for record in caplog.records if "rerank_model" in record.getMessage()]) == 1


def test_a_real_cross_encoder_in_a_folder_scores_texts(tmp_path: Path) -> None:
    reranker = Reranker(str(make_cross_encoder(tmp_path / "counter")), cache_dir=tmp_path)
    assert reranker("other", ["other"]) is None
    _wait(reranker)
    assert reranker("other", ["other", "wanted wanted", "wanted other"]) == [0.0, 2.0, 1.0]
