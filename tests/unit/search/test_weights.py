"""The learned weights, and how the user's own weights change them."""

from __future__ import annotations

import numpy as np
import pytest

from sightline.file_roles import ROLES, bit
from sightline.search.query.classify import classify
from sightline.search.query.message import is_pasted
from sightline.search.ranking.constants import DEFAULTS
from sightline.search.ranking.pipeline import Part, Pipeline, Question
from sightline.search.ranking.signals import SIGNALS
from sightline.search.ranking.weights import KINDS, learned, tuned
from sightline.search.trace import StageLog
from sightline.stores.memory.memory_index import MemoryIndex


def test_every_signal_and_role_has_a_row() -> None:
    assert set(learned().signals) == set(SIGNALS)
    assert set(learned().penalties) == set(ROLES)


def test_no_penalty_is_more_than_the_whole_score() -> None:
    shares = [share for row in learned().penalties.values() for share in row.values()]
    assert all(0.0 <= share < 1.0 for share in shares)


def test_a_weight_set_by_the_user_applies_to_every_kind() -> None:
    _, weights, problems = tuned({"bm25": 3.0, "penalty_test": 0.9})
    assert not problems
    assert set(weights.signals["bm25"].values()) == {3.0, 0.0}
    assert set(weights.penalties["test"].values()) == {0.9}
    assert weights.signals["cosine"] == learned().signals["cosine"]


@pytest.mark.parametrize("name", ["bm", "penalty_tests", "pools"])
def test_an_unknown_name_is_reported(name: str) -> None:
    assert name in tuned({name: 1.0})[2][0]


def test_a_constant_is_replaced() -> None:
    assert tuned({"pool": 50})[0].pool == 50


def test_a_name_in_a_sentence_changes_the_weights() -> None:
    plain, named = classify("the header is lost"), classify("the parseHeader is lost")
    assert plain.kind == named.kind
    moved = {name for name, value in learned().of(plain).items() if value != learned().of(named)[name]}
    assert moved


@pytest.mark.parametrize("kind", KINDS)
def test_a_role_reduces_the_score_by_a_share(kind: str) -> None:
    roles = np.array([bit("test"), 0], np.int32)
    kept = learned().kept_share(kind, roles)  # type: ignore[arg-type]  # the parameters are the kinds
    assert kept[0] < kept[1] == 1.0


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("error: the token was revoked by another session", DEFAULTS.message_vectors),
        ("the token of another session", 1.0),
        ("why was the token not revoked?", 1.0),
    ],
)
def test_vectors_count_less_for_a_message(memory: MemoryIndex, text: str, share: float) -> None:
    intent = classify(text)
    part = Part(text, intent, is_pasted(text, intent.kind), None)
    question = Question((part,), (), use_keywords=True)
    with memory.guard.reading():
        found = Pipeline(memory, learned(), DEFAULTS).evidence(question, 10, StageLog(None))[0][0].weights
    expected = learned().of(part.intent)
    assert found["cosine"] == expected["cosine"] * share
    assert found["bm25"] == expected["bm25"]
