"""Every number of the ranking, each with its reason; `search.tuning` overrides them by name for sweeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches


@dataclass(frozen=True, slots=True)
class Tuning:
    """Weights act on signals scaled to 0..1; penalties take away a share of a file's score."""

    # Retrieval. A pool of 500 instead of 50 was worth +0.008: order is the problem, but a target that is
    # not in the pool cannot be put in order.
    pool: float = 500
    # Files brought in by their name although neither retriever found them.
    path_pool: float = 30
    # More distinct terms than this come from pasted text, whose rare terms say enough.
    max_terms: float = 48

    # Fusion: 0 min-max (0.856 in the study), 1 reciprocal rank (0.849 at k=10, 0.840 at k=60), 2 z-score.
    fusion: float = 0
    rrf_k: float = 60

    # Aggregation of chunks to files: BM25 of a file is the decayed sum of its best chunks, the vector score
    # the mean of its best cosines; summing all chunks rewards size (-0.027).
    keyword_chunks: float = 5
    keyword_decay: float = 0.8
    semantic_chunks: float = 3

    # Weights of the retrievers.
    keyword: float = 1.0
    semantic: float = 1.7
    signature: float = 0.7
    # The share of the query that one chunk of a file has. It finds the function a sentence is taken from; the
    # power lets only nearly all of it count; a few words are everywhere, so only long queries get it whole.
    coverage: float = 1.0
    coverage_power: float = 3.0
    coverage_few: float = 3
    coverage_many: float = 9

    # Weights of what the path says.
    path_share: float = 0.7
    stem_precision: float = 0.35
    stem_order: float = 0.25
    # The vector of a chunk knows its place: without keywords beside it, the path would count too much.
    semantic_paths: float = 0.5

    # Weights of what the parse says.
    definition_symbol: float = 2.0
    definition_sentence: float = 0.5
    definition_stem: float = 0.5
    usage: float = 0.2

    # How much a definition counts by what it is.
    kind_type: float = 1.0
    kind_function: float = 0.8
    kind_value: float = 0.8
    kind_impl: float = 0.3
    kind_other: float = 0.3
    nested: float = 0.6
    # A name equal only after folding plurals, case and underscores.
    folded: float = 0.6
    # A name in code shape that differs in case: `status` for `Status`.
    other_case: float = 0.77
    # A qualified name whose container is another one.
    wrong_container: float = 0.4

    # Query kinds move the balance. A name is found by its words: vectors only blur it.
    symbol_semantic: float = 0.5
    factual_keyword: float = 1.0
    exploratory_semantic: float = 1.0
    navigational_graph: float = 1.5
    # A question asks what code does, so the bodies count more and the names of files and definitions less.
    question_keyword: float = 1.3
    question_signature: float = 0.5

    # Penalties: the share of its score a file loses for its role, unless the query asks for the role.
    penalty_test: float = 0.7
    penalty_example: float = 0.7
    penalty_compat: float = 0.7
    penalty_barrel: float = 0.5
    penalty_declaration: float = 0.3
    penalty_old_version: float = 0.5
    penalty_platform: float = 0.2
    penalty_docs: float = 0.5
    penalty_generated: float = 0.5

    # Within a file: a chunk's own score is its keyword score, and these shares of the rest.
    chunk_semantic: float = 1.2
    chunk_definition: float = 1.0
    # The further chunks of a file count this share of what they would alone: at 0.5 a second place of the
    # best file comes before the first of a poor one, which helped places (+0.012 MRR) and cost files nothing.
    chunk_further: float = 0.5

    # Neighbours over imports, calls and links get this share of the score that leads to them.
    graph: float = 0.5
    # A hub that half the folder points at says nothing.
    graph_max_degree: float = 40
    graph_sources: float = 5

    # Near-duplicates: Jaccard of word 3-grams (0.7 is usual) and cosine (0.85), 0 is off. Both cost places
    # that people look for, such as the platform twins of a file; equal content is always shown once.
    duplicate_grams: float = 0.0
    duplicate_cosine: float = 0.0

    # Diversity of `select = "mmr"`.
    mmr_balance: float = 0.7

    # Query expansion: at most so many related words of the folder's vocabulary, at least so near.
    expansion_terms: float = 3
    expansion_cosine: float = 0.5
    expansion_weight: float = 0.3

    # A file touched today gains this share over one untouched for a year, when recency is on.
    recency: float = 0.1
    recency_days: float = 30

    # Two queries of the same terms mean the same from this cosine on.
    cache_cosine: float = 0.95


DEFAULTS = Tuning()
_NAMES = tuple(field.name for field in fields(Tuning))


def tuned(overrides: Mapping[str, float]) -> tuple[Tuning, list[str]]:
    """The constants with some replaced, and a sentence for each name that is none of them."""
    known = {name: float(value) for name, value in overrides.items() if name in _NAMES}
    problems = []
    for name in sorted(set(overrides) - set(known)):
        near = get_close_matches(name, _NAMES, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        problems.append(f"search.tuning has no constant '{name}'{hint}")
    return replace(DEFAULTS, **known), problems
