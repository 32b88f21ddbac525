"""The learned weights of the ranking, and the overrides from `search.tuning`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.arrays import Floats
from sightline.file_roles import ROLES, bit
from sightline.search.query.classify import Intent, QueryKind
from sightline.search.ranking.constants import DEFAULTS, Tuning

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


FILE = "weights.toml"
# The kinds of a single text; a report consists of several texts.
KINDS: tuple[QueryKind, ...] = ("symbol", "topic", "heading", "question", "change", "statement")
# This column is added to the weights of a sentence that mentions a name in code.
_NAMED = "named"
_PENALTY = "penalty_"
# Kinds that look for what exists; the others describe what happens or should happen. The penalties of both
# were learned separately.
LOOKUPS: frozenset[QueryKind] = frozenset({"symbol", "topic", "heading", "question"})
PENALTY_COLUMNS = ("lookup", "description")


class Weights(NamedTuple):
    """By kind of query: the weight of each signal, and the share of its score a file loses for a role."""

    signals: Mapping[str, Mapping[str, float]]
    penalties: Mapping[str, Mapping[str, float]]

    def of(self, intent: Intent) -> dict[str, float]:
        """The weight of each signal for a query."""
        named = intent.mentions_name
        return {
            name: by_kind[intent.kind] + (by_kind[_NAMED] if named else 0.0)
            for name, by_kind in self.signals.items()
        }

    def kept_share(self, kind: QueryKind, roles: NDArray[np.int32]) -> Floats:
        """The share of each score that remains after the penalties for the roles."""
        column = penalty_column(kind)
        left = np.ones(len(roles), np.float32)
        for role, by_column in self.penalties.items():
            left[(roles & bit(role)) > 0] *= 1.0 - by_column[column]
        return left


class WeightTables:
    """The same weights for every query, computed once."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._of: dict[tuple[QueryKind, bool], dict[str, float]] = {}
        every = np.arange(1 << len(ROLES), dtype=np.int32)
        self._kept = {kind: weights.kept_share(kind, every) for kind in KINDS}

    def of(self, intent: Intent) -> dict[str, float]:
        """The weight of each signal for a query, as a dictionary of the caller."""
        key = intent.kind, intent.mentions_name
        if key not in self._of:
            self._of[key] = self._weights.of(intent)
        return self._of[key].copy()

    def kept_share(self, kind: QueryKind, roles: NDArray[np.int32]) -> Floats:
        """The share of each score that remains after the penalties for the roles."""
        return self._kept[kind].take(roles)


def penalty_column(kind: QueryKind) -> str:
    """The column of the penalties that applies to a kind of query."""
    return "lookup" if kind in LOOKUPS else "description"


@cache
def learned() -> Weights:
    """The weights shipped with the package."""
    text = files(__package__).joinpath(FILE).read_text("utf-8")
    return from_table(tomllib.loads(text))


def from_table(table: Mapping[str, Any]) -> Weights:
    """The weights from a table in the file's format: one row per signal or role, one column per kind."""
    return Weights(
        {name: _row((*KINDS, _NAMED), row) for name, row in table["signals"].items()},
        {name: _row(PENALTY_COLUMNS, row) for name, row in table["penalties"].items()},
    )


def _row(columns: tuple[str, ...], values: Mapping[str, float]) -> dict[str, float]:
    return {column: float(values[column]) for column in columns}


def tuned(overrides: Mapping[str, float]) -> tuple[Tuning, Weights, list[str]]:
    """Constants and weights with some replaced by name, and a message for each unknown name."""
    weights = learned()
    constants = {field.name for field in fields(Tuning)}
    known = {*constants, *weights.signals, *(_PENALTY + role for role in ROLES)}
    problems = [_unknown(name, known) for name in sorted(set(overrides) - known)]
    tuning = replace(DEFAULTS, **{name: float(overrides[name]) for name in constants & set(overrides)})
    return tuning, _replaced(weights, overrides), problems


def _replaced(weights: Weights, overrides: Mapping[str, float]) -> Weights:
    """A weight or penalty set by the user applies to every kind of query."""
    signals = {
        name: {**dict.fromkeys(KINDS, float(overrides[name])), _NAMED: 0.0} if name in overrides else row
        for name, row in weights.signals.items()
    }
    penalties = {
        role: dict.fromkeys(row, float(overrides[_PENALTY + role])) if _PENALTY + role in overrides else row
        for role, row in weights.penalties.items()
    }
    return Weights(signals, penalties)


def _unknown(name: str, known: set[str]) -> str:
    near = get_close_matches(name, sorted(known), n=1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"search.tuning has no constant '{name}'{hint}"
