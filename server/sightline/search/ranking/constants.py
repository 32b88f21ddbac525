"""The numbers of the ranking that are not learned, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """Everything but the weights of the signals, which `weights.toml` has; `search.tuning` overrides both."""

    # Retrieval. The pool holds 98 % of the files and 94 % of the places that are looked for.
    pool: float = 500
    # Files brought in by their name although neither retriever found them.
    path_pool: float = 30
    # More distinct terms than this come from pasted text, whose rare terms say enough.
    max_terms: float = 48

    # Fusion: 0 min-max, 1 reciprocal rank, 2 z-score.
    fusion: float = 0
    rrf_k: float = 60

    # Evidence of a file: the decayed sum of its best chunks by BM25, the mean of its best cosines; summing
    # all chunks rewards size.
    file_chunks: float = 5
    file_decay: float = 0.8
    file_vectors: float = 3

    # By vectors alone the path would count too much: the vector of a chunk knows its place already.
    semantic_paths: float = 0.5

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

    # Pasted text: what its body counts beside its first line, and what a place that a stack trace names.
    report_body: float = 1.0
    report_frame: float = 1.0

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
