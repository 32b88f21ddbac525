"""The training set in memory: pairs as bags of token ids, in batches mostly from one repository."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.encode import Bags, Encoder
from training.pairs import pairs_of
from training.records import Record

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Queries and codes by row, with the repository and the group of each row."""

    queries: Bags
    codes: Bags
    repos: Rows
    groups: Rows


def build_dataset(records: Iterable[Record], encoder: Encoder, seed: int) -> Dataset:
    """Make pairs from records and encode them; drop pairs without any known token."""
    chosen = random.Random(seed)
    queries: list[list[int]] = []
    codes: list[list[int]] = []
    labels: list[tuple[str, str]] = []
    for record in records:
        for pair in pairs_of(record, chosen):
            query, code = encoder.ids(pair.query), encoder.ids(pair.code)
            if query and len(code) >= 5:
                queries.append(query)
                codes.append(code)
                labels.append((pair.repo, pair.group))
    repos, groups = zip(*labels, strict=True)
    return Dataset(Bags(queries), Bags(codes), _numbered(repos), _numbered(groups))


def _numbered(names: Iterable[str]) -> Rows:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def batches(dataset: Dataset, size: int, one_repository: float, seed: int) -> Iterator[Rows]:
    """Yield every row about once: most batches are from a single repository, the others are mixed.

    Search has to distinguish the files of one repository; mixed batches teach it to separate topics.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(dataset.repos))
    inside = order[: int(len(order) * one_repository)]
    mixed = order[len(inside) :]
    by_repo = inside[np.argsort(dataset.repos[inside], kind="stable")]
    cuts = [*_slices(by_repo, size, dataset.repos), *np.array_split(mixed, max(1, len(mixed) // size))]
    for position in rng.permutation(len(cuts)):
        yield cuts[position]


def _slices(rows: Rows, size: int, repos: Rows) -> list[Rows]:
    borders = np.flatnonzero(np.diff(repos[rows])) + 1
    small = [
        part for whole in np.split(rows, borders) for part in np.array_split(whole, -(-len(whole) // size))
    ]
    return _joined(small, size)


def _joined(parts: list[Rows], size: int) -> list[Rows]:
    """Join the leftovers of small repositories, so that every batch has enough negatives."""
    joined: list[Rows] = []
    for part in parts:
        if joined and len(joined[-1]) + len(part) <= size:
            joined[-1] = np.concatenate((joined[-1], part))
        else:
            joined.append(part)
    return joined
