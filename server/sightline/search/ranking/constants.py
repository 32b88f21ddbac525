"""The constants of the ranking that are not learned, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """All parameters but the signal weights, which are in `weights.toml`; `search.tuning` overrides both."""

    # Retrieval. The pool contains 98 % of the files and 94 % of the places that users look for.
    pool: float = 500
    # Files added because of their name although neither retriever found them.
    path_pool: float = 30
    # A query with more distinct terms than this is pasted text; its rarest terms are enough.
    max_terms: float = 48

    # Fusion: 0 min-max, 1 reciprocal rank, 2 z-score.
    fusion: float = 0
    rrf_k: float = 60

    # Evidence for a file: the decayed sum of the BM25 scores of its best chunks, the mean of its best
    # cosines. A sum over all chunks would favour large files.
    file_chunks: float = 5
    file_decay: float = 0.8
    file_vectors: float = 3

    # In semantic mode the path would count too much: the vector of a chunk already includes its path.
    semantic_paths: float = 0.5

    # The vector of a pasted message is also that of its values, and its words are in the code as they are.
    message_vectors: float = 0.3
    # What a pasted message quotes or numbers is seldom in the code that prints it, and often in tests.
    message_values: float = 0.3

    # The weight of a definition by its kind.
    kind_type: float = 1.0
    kind_function: float = 0.8
    kind_value: float = 0.8
    kind_impl: float = 0.3
    kind_other: float = 0.3
    nested: float = 0.6
    # A name that is equal only after folding plurals, case and underscores.
    folded: float = 0.6
    # A code-shaped name that differs in case: `status` for `Status`.
    other_case: float = 0.77
    # A qualified name with a different container.
    wrong_container: float = 0.4

    # The weight of the query's words in their order, the number of best places whose text is compared, and of
    # those with most of its words, if the query may be copied from the code.
    wording: float = 2.5
    wording_places: float = 10
    wording_covering: float = 40

    # Pasted text: the weight of its body relative to its first line, and of a place named in a stack trace.
    report_body: float = 1.0
    report_frame: float = 1.25

    # Neighbours over imports, calls and links get this share of the score of the place that leads to them.
    graph: float = 0.5
    # A hub that half the folder points at carries no information.
    graph_max_degree: float = 40
    graph_sources: float = 5

    # Near-duplicates: Jaccard of word 3-grams (0.7 is usual) and cosine (0.85); 0 turns a check off. Both
    # hide places that users look for, such as the platform variants of a file. Equal content is always shown
    # once.
    duplicate_grams: float = 0.0
    duplicate_cosine: float = 0.0

    # Diversity of `select = "mmr"`.
    mmr_balance: float = 0.7

    # Query expansion: the maximum number of related words from the folder's vocabulary, and their minimum
    # cosine.
    expansion_terms: float = 3
    expansion_cosine: float = 0.5
    expansion_weight: float = 0.3

    # A file touched today gains this share over one untouched for a year, when recency is on.
    recency: float = 0.1
    recency_days: float = 30

    # Two queries with the same terms count as equal from this cosine on.
    cache_cosine: float = 0.95


DEFAULTS = Tuning()
