"""Learns the weights with Adam and a listwise loss over the files and the places of each task.

A candidate scores (signals . weights of the query's kind) x exp(-penalties of its roles). The weights of a
kind are a base row shared by all kinds plus its own row; a sentence that mentions a name adds one more row.
The loss is the cross entropy between the softmax over the best score of each file and the right files, and
the same over places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sightline.file_roles import ROLES
from sightline.search.ranking.signals import FORM_SIGNALS, SIGNALS
from sightline.search.ranking.weights import KINDS, PENALTY_COLUMNS, penalty_column
from training.ranking.signals import Example, Groups

Floats = NDArray[np.float64]

BASE, NAMED = "base", "named"
ROWS = (BASE, *KINDS, NAMED)
# For these kinds of queries the form of a place matters: a topic or a name may ask for any form.
SENTENCES = ("question", "change", "statement")
# The training trees have no repository, so this weight was measured by tests/benchmarks/ranking/history.py
# and not learned. A query for a symbol does not use history.
_HISTORY, _HISTORY_WEIGHT = "history", 0.3


@dataclass(frozen=True, slots=True)
class Options:
    """The options of training; the same options and examples give the same weights."""

    epochs: int = 6
    rate: float = 0.03
    last_rate: float = 0.05
    batch: int = 32
    temperature: float = 1 / 3
    l2: float = 1e-3
    # The row of a kind is regularized more strongly towards zero than the shared base row.
    kind_l2: float = 3e-3
    seed: int = 0


# Minimum weight of a definition, for every kind: labels that are files do not require definitions, but users
# expect them, and no yardstick gets worse.
_MIN_DEFINITION = 0.6
# Initial value of penalties and the target of their regularization: about half of the score.
_PRIOR_PENALTY = 0.7


@dataclass(slots=True)
class Parameters:
    """Weights by row and signal, and penalties by column and role; gradients have the same form."""

    weights: Floats = field(default_factory=lambda: np.zeros((len(ROWS), len(SIGNALS))))
    penalties: Floats = field(
        default_factory=lambda: np.full((len(PENALTY_COLUMNS), len(ROLES)), _PRIOR_PENALTY)
    )

    def scores(self, example: Example) -> Floats:
        """The score of each candidate."""
        return self._parts(example)[0]

    def _parts(self, example: Example) -> tuple[Floats, Floats]:
        kept: Floats = np.exp(-(example.roles @ self.penalties[column_of(example)]))
        return (example.signals @ (rows_of(example) @ self.weights)) * kept, kept

    def gradient(self, example: Example, temperature: float) -> tuple[float, Parameters]:
        """The loss at one example and its gradient."""
        scores, kept = self._parts(example)
        by_score = np.zeros(len(scores))
        loss = 0.0
        for groups in (example.files, example.places):
            if groups.right.any():
                loss += _listwise(scores, groups, temperature, by_score)
        found = Parameters(np.zeros_like(self.weights), np.zeros_like(self.penalties))
        found.weights += np.outer(rows_of(example), (by_score * kept) @ example.signals)
        found.penalties[column_of(example)] -= (by_score * scores) @ example.roles
        return loss, found


def rows_of(example: Example) -> Floats:
    """1 for each row of weights that applies to a query."""
    rows = np.zeros(len(ROWS))
    rows[[ROWS.index(BASE), ROWS.index(example.kind)]] = 1
    rows[ROWS.index(NAMED)] = example.named
    return rows


def column_of(example: Example) -> int:
    """The column of penalties that applies to a query."""
    return PENALTY_COLUMNS.index(penalty_column(example.kind))


def _listwise(scores: Floats, groups: Groups, temperature: float, by_score: Floats) -> float:
    """The cross entropy of one grouping; adds its derivative with respect to each score to `by_score`."""
    starts = np.flatnonzero(np.diff(groups.of, prepend=-1))
    best = np.maximum.reduceat(scores, starts)
    exponents = (best - best.max()) / temperature
    log_shares = exponents - np.log(np.exp(exponents).sum())
    wanted = groups.right / groups.right.sum()
    by_group = (np.exp(log_shares) - wanted) / temperature
    # Candidates that tie for the best of their group share its derivative.
    is_best = scores == best[groups.of]
    by_score += np.where(is_best, (by_group / np.add.reduceat(is_best, starts))[groups.of], 0.0)
    return float(-(wanted * log_shares).sum())


def free() -> NDArray[np.bool_]:
    """A mask of the trainable weights, by row and signal."""
    sentences = np.array([row in SENTENCES for row in ROWS])
    # The form of code says something about sentences only.
    limited = np.array([name in FORM_SIGNALS for name in SIGNALS])
    found: NDArray[np.bool_] = ~limited[None, :] | sentences[:, None]
    return found


class Adam:
    """The Adam optimizer."""

    _FIRST, _SECOND, _LEAST = 0.9, 0.999, 1e-8

    def __init__(self, values: Floats) -> None:
        self._values = values
        self._mean, self._square = np.zeros_like(values), np.zeros_like(values)
        self._steps = 0

    def step(self, gradient: Floats, rate: float) -> None:
        """Update the values in place."""
        self._steps += 1
        self._mean += (1 - self._FIRST) * (gradient - self._mean)
        self._square += (1 - self._SECOND) * (gradient**2 - self._square)
        mean = self._mean / (1 - self._FIRST**self._steps)
        square = self._square / (1 - self._SECOND**self._steps)
        self._values -= rate * mean / (np.sqrt(square) + self._LEAST)


def fit(weighted: Sequence[tuple[Example, float]], options: Options) -> Parameters:
    """Learn the parameters that rank the weighted examples best."""
    learned = Parameters()
    moving = Adam(learned.weights), Adam(learned.penalties)
    shrink = np.where(np.array(ROWS) == BASE, options.l2, options.kind_l2)[:, None]
    allowed = free()
    for batch, rate in _batches(weighted, options):
        summed = _summed(learned, batch, options.temperature)
        moving[0].step((summed.weights + shrink * learned.weights) * allowed, rate)
        moving[1].step(summed.penalties + options.l2 * (learned.penalties - _PRIOR_PENALTY), rate)
        # A role must never raise a score.
        np.maximum(learned.penalties, 0.0, out=learned.penalties)
        _raise_definitions(learned.weights)
    _set_history_weight(learned)
    return learned


def _raise_definitions(weights: Floats) -> None:
    """Raise each kind's row so that base plus row reaches the minimum weight of a definition."""
    column, kinds = SIGNALS.index("definition"), [ROWS.index(kind) for kind in KINDS]
    least = _MIN_DEFINITION - weights[ROWS.index(BASE), column]
    weights[kinds, column] = np.maximum(weights[kinds, column], least)


def _set_history_weight(learned: Parameters) -> None:
    column = learned.weights[:, SIGNALS.index(_HISTORY)]
    column[:] = 0.0
    column[ROWS.index(BASE)], column[ROWS.index("symbol")] = _HISTORY_WEIGHT, -_HISTORY_WEIGHT


def _batches(
    weighted: Sequence[tuple[Example, float]], options: Options
) -> Iterator[tuple[list[tuple[Example, float]], float]]:
    """Batches in a new order each epoch, with a decreasing learning rate."""
    draw = np.random.default_rng(options.seed)
    for epoch in range(options.epochs):
        rate = options.rate * (1 - epoch / options.epochs + options.last_rate)
        order = draw.permutation(len(weighted)).tolist()
        for start in range(0, len(order), options.batch):
            yield [weighted[at] for at in order[start : start + options.batch]], rate


def _summed(learned: Parameters, batch: Sequence[tuple[Example, float]], temperature: float) -> Parameters:
    """The mean gradient of a batch."""
    total = Parameters(np.zeros_like(learned.weights), np.zeros_like(learned.penalties))
    for example, weight in batch:
        _, found = learned.gradient(example, temperature)
        total.weights += weight / len(batch) * found.weights
        total.penalties += weight / len(batch) * found.penalties
    return total
