"""The ranking loss, its gradient, and what training learns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sightline.search.query.classify import QueryKind
from sightline.search.ranking.signals import FORM_SIGNALS, SIGNALS
from sightline.search.ranking.weights import KINDS
from tests.unit.training.ranking.made import example
from training.ranking.fit import ROWS, SENTENCES, Options, Parameters, fit

_STEP = 1e-6


def _parameters() -> Parameters:
    draw = np.random.default_rng(3)
    made = Parameters()
    made.weights += draw.normal(size=made.weights.shape)
    made.penalties += 0.3 * draw.random(made.penalties.shape)
    return made


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("named", [False, True])
def test_the_gradient_equals_finite_differences(kind: QueryKind, named: bool) -> None:
    given, parameters = example(1, kind, named=named), _parameters()
    found = parameters.gradient(given, 1 / 3)[1]
    for values, gradient in (
        (parameters.weights, found.weights),
        (parameters.penalties, found.penalties),
    ):
        for at in np.ndindex(values.shape):
            middle = values[at]
            values[at] = middle + _STEP
            above = parameters.gradient(given, 1 / 3)[0]
            values[at] = middle - _STEP
            below = parameters.gradient(given, 1 / 3)[0]
            values[at] = middle
            assert gradient[at] == pytest.approx((above - below) / (2 * _STEP), abs=1e-5)


def test_training_lowers_the_loss() -> None:
    given = [example(seed) for seed in range(20)]
    learned = fit([(each, 1.0) for each in given], Options(epochs=20))
    before, after = (sum(made.gradient(each, 1 / 3)[0] for each in given) for made in (Parameters(), learned))
    assert after < 0.9 * before


def test_the_same_examples_and_seed_give_the_same_weights() -> None:
    given = [(example(seed), 1.0) for seed in range(8)]
    one, other = fit(given, Options()), fit(given, Options())
    assert np.array_equal(one.weights, other.weights)
    assert np.array_equal(one.penalties, other.penalties)


def test_the_form_of_a_place_has_a_weight_for_sentences_only() -> None:
    given = [(example(seed, kind, named=True), 1.0) for seed in range(4) for kind in KINDS]
    learned = fit(given, Options())
    columns = [SIGNALS.index(name) for name in FORM_SIGNALS]
    for row, name in enumerate(ROWS):
        assert bool(np.any(learned.weights[row, columns])) == (name in SENTENCES), name


def test_a_task_without_a_relevant_candidate_changes_nothing() -> None:
    given = example(2)
    lost = replace(
        given,
        files=replace(given.files, right=np.zeros_like(given.files.right)),
        places=replace(given.places, right=np.zeros_like(given.places.right)),
    )
    loss, found = _parameters().gradient(lost, 1 / 3)
    assert loss == 0
    assert not found.weights.any()
    assert not found.penalties.any()


def test_penalties_are_never_a_reward() -> None:
    given = [example(seed) for seed in range(10)]
    # The relevant candidates have every role, the others none.
    roled = [
        replace(each, roles=np.repeat(each.files.right[each.files.of][:, None], each.roles.shape[1], 1) * 1.0)
        for each in given
    ]
    learned = fit([(each, 1.0) for each in roled], Options(epochs=40))
    assert (learned.penalties >= 0).all()
