"""The table of weights: the product reads exactly what was written."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from sightline.file_roles import ROLES, bit
from sightline.search.query.classify import Intent, Name
from sightline.search.ranking.signals import SIGNALS
from sightline.search.ranking.weights import KINDS, Weights, from_table
from tests.unit.training.ranking.made import example
from training.ranking.fit import Parameters
from training.ranking.table import written

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.fixture
def parameters() -> Parameters:
    """Parameters with two decimals, so that nothing is lost in the table."""
    draw = np.random.default_rng(4)
    made = Parameters()
    made.weights += np.round(draw.normal(size=made.weights.shape), 2)
    made.penalties[:] = -np.log(1 - np.round(0.9 * draw.random(made.penalties.shape), 2))
    return made


def _read(text: str) -> Weights:
    return from_table(tomllib.loads(text))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("named", [False, True])
def test_the_product_scores_by_the_table_as_the_training_does(
    parameters: Parameters, kind: str, named: bool
) -> None:
    named = named and kind != "symbol"
    given = example(5, kind, named=named)  # type: ignore[arg-type]  # the parameters are the kinds
    weights = _read(written(parameters, ()))
    intent = Intent(given.kind, (Name("name", certain=True),) if named else ())
    by_signal = weights.of(intent)
    flags = (given.roles @ [bit(role) for role in ROLES]).astype(np.int32)
    kept = weights.kept_share(given.kind, flags)
    scores = given.signals @ [by_signal[name] for name in SIGNALS] * kept
    assert scores == pytest.approx(parameters.scores(given), abs=1e-4)


def test_each_signal_and_role_has_a_row_with_two_decimals(parameters: Parameters) -> None:
    lines = written(parameters, ["first", "", "last"]).splitlines()
    assert lines[:3] == ["# first", "#", "# last"]
    assert [line.split()[0] for line in lines if " = { " in line] == [*SIGNALS, *ROLES]


def test_no_value_is_written_as_negative_zero(parameters: Parameters) -> None:
    parameters.weights[:] = -0.001
    assert "-0.00" not in written(parameters, ())
