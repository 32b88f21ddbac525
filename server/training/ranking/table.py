"""Formats learned parameters as the table that the product reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from sightline.file_roles import ROLES
from sightline.search.ranking.signals import SIGNALS
from sightline.search.ranking.weights import KINDS, PENALTY_COLUMNS
from training.ranking.fit import BASE, NAMED, ROWS, Parameters


def written(parameters: Parameters, notes: Iterable[str]) -> str:
    """The text of the file: notes as comments, one row per signal, one row per role."""
    lines = [f"# {note}".rstrip() for note in notes]
    lines += ["", "[signals]", *_rows(_signals(parameters))]
    lines += ["", "[penalties]", *_rows(_penalties(parameters))]
    return "\n".join(lines) + "\n"


def _signals(parameters: Parameters) -> dict[str, dict[str, float]]:
    """The weight of each signal for each kind of query, and what a mentioned name adds."""
    by_row = dict(zip(ROWS, parameters.weights, strict=True))
    columns = {kind: by_row[BASE] + by_row[kind] for kind in KINDS} | {NAMED: by_row[NAMED]}
    return {
        name: {column: float(values[at]) for column, values in columns.items()}
        for at, name in enumerate(SIGNALS)
    }


def _penalties(parameters: Parameters) -> dict[str, dict[str, float]]:
    """The share of its score that a file loses for a role."""
    lost = 1 - np.exp(-parameters.penalties)
    return {
        role: {column: float(values[at]) for column, values in zip(PENALTY_COLUMNS, lost, strict=True)}
        for at, role in enumerate(ROLES)
    }


def _rows(table: Mapping[str, Mapping[str, float]]) -> list[str]:
    width = max(map(len, table))
    return [
        f"{name:{width}} = {{ {', '.join(f'{column} = {_figure(value)}' for column, value in row.items())} }}"
        for name, row in table.items()
    ]


def _figure(value: float) -> str:
    # Adding 0 turns -0.00 into 0.00.
    return f"{round(value, 2) + 0:5.2f}"
