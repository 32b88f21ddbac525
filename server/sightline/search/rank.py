"""From signals to an order of files, and of the places in them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sightline.search import noise
from sightline.search.classify import Intent
from sightline.search.constants import Tuning
from sightline.search.retrieve import Candidates
from sightline.search.signals import Grouped, scaled

Floats = NDArray[np.float32]
Signals = Mapping[str, Floats]

# The signals whose weight is the constant of the same name, whatever the query.
_OWN_WEIGHT = (
    "keyword",
    "coverage",
    "semantic",
    "signature",
    "path_share",
    "stem_precision",
    "stem_order",
    "definition_stem",
    "usage",
    "graph",
)

_PATH_SIGNALS = ("path_share", "stem_precision", "stem_order")


def weights(intent: Intent, tuning: Tuning, *, keywords: bool = True) -> dict[str, float]:
    """The weight of each signal for a query of this kind, searched with keywords or by vectors alone."""
    found: dict[str, float] = {name: getattr(tuning, name) for name in _OWN_WEIGHT}
    found["definition"] = tuning.definition_symbol if intent.kind == "symbol" else tuning.definition_sentence
    for name, factor in _factors(intent, tuning).items():
        found[name] *= factor
    if not keywords:
        for name in _PATH_SIGNALS:
            found[name] *= tuning.semantic_paths
    return found


def _factors(intent: Intent, tuning: Tuning) -> dict[str, float]:
    """What the kind of a query changes about the weights."""
    if intent.kind == "symbol":
        return {"semantic": tuning.symbol_semantic, "signature": tuning.symbol_semantic}
    found = {"keyword": tuning.factual_keyword} if intent.kind == "factual" else {}
    if intent.kind == "exploratory":
        found["semantic"] = tuning.exploratory_semantic
    if intent.kind == "navigational":
        found["graph"] = tuning.navigational_graph
    if intent.question:
        found["keyword"] = found.get("keyword", 1.0) * tuning.question_keyword
        found["signature"] = tuning.question_signature
    return found


def telling(terms: int, tuning: Tuning) -> float:
    """How much it tells that a chunk has all of a query: nothing for a few words, all for a sentence."""
    few, many = tuning.coverage_few, tuning.coverage_many
    return min(1.0, max(0.0, (terms - few) / (many - few)))


def kept_share(roles: NDArray[np.int32], asked: int, tuning: Tuning) -> Floats:
    """What is left of each file's score after the penalties for its roles."""
    left = np.ones(len(roles), np.float32)
    for role in noise.ROLES:
        flag = noise.bit(role)
        if not asked & flag:
            left[(roles & flag) > 0] *= 1.0 - getattr(tuning, f"penalty_{role}")
    return left


def fresh(times_ns: NDArray[np.float64], now_ns: int, tuning: Tuning) -> Floats:
    """The factor by which lately changed files gain."""
    days = np.maximum(now_ns - times_ns, 0.0) / 86_400e9
    return (1.0 + tuning.recency * np.exp(-days / tuning.recency_days)).astype(np.float32)


def file_scores(signals: Signals, weighed: Mapping[str, float], kept: Floats) -> Floats:
    """The weighted sum of the signals, less the penalties."""
    total = np.zeros(len(kept), np.float32)
    for name, values in signals.items():
        total += np.float32(weighed[name]) * values
    return total * kept


def chunk_scores(candidates: Candidates, defining: Floats, tuning: Tuning) -> Floats:
    """How well each chunk answers by itself."""
    own = scaled(candidates.keyword, tuning)
    own += np.float32(tuning.chunk_semantic) * scaled(candidates.cosine, tuning, cosine=True)
    own += np.float32(tuning.chunk_definition) * defining
    return own


def places(grouped: Grouped, of_files: Floats, of_chunks: Floats, tuning: Tuning) -> Floats:
    """The score of each candidate: its file's for the best of a file, a share of it for the others."""
    best = np.zeros(len(grouped.files), np.float32)
    np.maximum.at(best, grouped.owner, of_chunks)
    share = of_chunks / np.maximum(best[grouped.owner], 1e-9)
    share = np.where(share >= 1.0, 1.0, share * np.float32(tuning.chunk_further))
    return (of_files[grouped.owner] * share).astype(np.float32)
