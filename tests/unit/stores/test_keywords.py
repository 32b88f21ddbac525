"""The inverted index against rank_bm25 itself."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Plus

from sightline.arrays import Floats, Mask, TermCounts, TermIds
from sightline.stores.memory import snapshot, top_documents
from sightline.stores.memory.keywords import Keywords
from sightline.stores.memory.matching import Matching

Document = list[int]

documents = st.lists(st.integers(0, 30), max_size=25)
# An edit adds a batch of documents, or removes the live document at that position.
edits = st.lists(st.one_of(st.lists(documents, max_size=6), st.integers(0, 50)), max_size=25)
weights = st.dictionaries(st.integers(0, 35), st.floats(0.1, 3), max_size=6)


def packed(document: Document) -> tuple[TermIds, TermCounts]:
    found = sorted(Counter(document).items())
    ids = np.array([term for term, _ in found], dtype=np.uint32)
    return ids, np.array([count for _, count in found], dtype=np.uint16)


def add_batch(keywords: Keywords, first: int, batch: list[Document]) -> None:
    rows = [packed(document) for document in batch]
    keywords.add_many(
        np.arange(first, first + len(batch)),
        np.array([len(ids) for ids, _ in rows], dtype=np.int64),
        np.concatenate([ids for ids, _ in rows]) if rows else packed([])[0],
        np.concatenate([counts for _, counts in rows]) if rows else packed([])[1],
    )


def apply(keywords: Keywords, live: dict[int, Document], steps: list[list[Document] | int]) -> int:
    """Apply the edits and return the next free slot."""
    used = 0
    for step in steps:
        if isinstance(step, list):
            add_batch(keywords, used, step)
            live.update(enumerate(step, start=used))
            used += len(step)
        elif live:
            slot = list(live)[step % len(live)]
            keywords.remove(slot, *packed(live.pop(slot)))
    return used


def expected(live: dict[int, Document], terms: dict[int, float], size: int) -> list[float]:
    scores = np.zeros(size)
    if any(live.values()):
        oracle = BM25Plus(list(live.values()), delta=0)
        for term, weight in terms.items():
            scores[list(live)] += weight * np.array(oracle.get_scores([term]))
    return [float(score) for score in scores]


@settings(max_examples=200)
@given(steps=edits, terms=weights)
def test_scores_equal_rank_bm25_after_any_edits(
    steps: list[list[Document] | int], terms: dict[int, float]
) -> None:
    keywords, live = Keywords(), dict[int, Document]()
    size = apply(keywords, live, steps) + 3
    scores = keywords.scores(terms, size)
    assert scores.dtype == np.float32
    assert scores.shape == (size,)
    np.testing.assert_allclose(scores, expected(live, terms, size), rtol=1e-5, atol=1e-7)


def exhaustive(scores: Floats, k: int, allowed: Mask) -> list[int]:
    """The best slots from the scores of all."""
    passing = [slot for slot in np.flatnonzero(allowed).tolist() if scores[slot] > 0]
    return sorted(sorted(passing, key=lambda slot: (-scores[slot], slot))[:k])


@settings(max_examples=300)
@given(
    steps=edits,
    terms=weights,
    k=st.integers(1, 12),
    filtered=st.sets(st.integers(0, 120)),
    share=st.sampled_from((0.0, 0.5, 10.0)),
    probes=st.integers(1, 3),
    look_up=st.sampled_from((0, 1, 1000)),
    few=st.sampled_from((0, 3)),
    sample=st.sampled_from((1, 4, 100)),
)
def test_the_best_documents_are_those_of_scoring_all(
    steps: list[list[Document] | int],
    terms: dict[int, float],
    k: int,
    filtered: set[int],
    share: float,
    probes: int,
    look_up: int,
    few: int,
    sample: int,
) -> None:
    keywords, live = Keywords(), dict[int, Document]()
    size = apply(keywords, live, steps)
    scores = keywords.scores(terms, size)
    allowed = np.array([slot not in filtered for slot in range(size)], np.bool_)
    with pytest.MonkeyPatch.context() as patch:
        # Few documents must take the ways that many take.
        patch.setattr(top_documents, "_LEAST_POSTINGS", few)
        patch.setattr(top_documents, "_PROBES", probes)
        patch.setattr(top_documents, "_SAMPLE", sample)
        patch.setattr(top_documents, "_LEAST_RANK", 1)
        patch.setattr(top_documents, "_MOST_CANDIDATES", share)
        patch.setattr("sightline.stores.memory.matching._LOOK_UP", look_up)
        matching = Matching(keywords, terms)
        found = top_documents.top_documents(matching, k, size)
        passing = top_documents.top_documents(matching, k, size, allowed)
        again = matching.scores(found, matching.counts(found))
    assert found.tolist() == exhaustive(scores, k, np.ones(size, np.bool_))
    assert passing.tolist() == exhaustive(scores, k, allowed)
    assert again.tolist() == scores[found].tolist()


@given(steps=edits)
def test_counts_and_postings_cover_only_live_documents(steps: list[list[Document] | int]) -> None:
    keywords, live = Keywords(), dict[int, Document]()
    apply(keywords, live, steps)
    assert keywords.documents == len(live)
    lengths = [len(document) for document in live.values()]
    assert keywords.average_length == pytest.approx(sum(lengths) / len(lengths) if lengths else 0)
    for term in range(35):
        holders = sorted(slot for slot, document in live.items() if term in document)
        assert keywords.postings(term).tolist() == holders
        assert keywords.df(term) == len(holders)


@settings(max_examples=40)
@given(steps=edits, terms=weights)
def test_a_saved_index_answers_and_changes_like_the_one_in_memory(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[Document] | int], terms: dict[int, float]
) -> None:
    keywords, live = Keywords(), dict[int, Document]()
    used = apply(keywords, live, steps)
    path = tmp_path_factory.mktemp("keywords") / "keywords.snapshot"
    snapshot.write(path, {}, keywords.arrays())
    found = snapshot.read(path)
    assert found is not None
    again = Keywords()
    again.use(found.arrays)
    for index in (keywords, again):
        add_batch(index, used, [[1, 1, 2]])
        if live:
            index.remove(next(iter(live)), *packed(next(iter(live.values()))))
    assert again.scores(terms, used + 1).tolist() == pytest.approx(
        keywords.scores(terms, used + 1).tolist(), rel=1e-6
    )


@given(steps=edits, picks=st.sets(st.integers(0, 60)), terms=weights)
def test_discarding_without_the_terms_equals_removing_with_them(
    steps: list[list[Document] | int], picks: set[int], terms: dict[int, float]
) -> None:
    keywords, live = Keywords(), dict[int, Document]()
    size = apply(keywords, live, steps)
    keywords.discard(np.array(sorted(picks), dtype=np.int64))
    for slot in picks:
        live.pop(slot, None)
    assert keywords.documents == len(live)
    assert [keywords.df(term) for term in range(31)] == [
        sum(term in document for document in live.values()) for term in range(31)
    ]
    np.testing.assert_allclose(
        keywords.scores(terms, size), expected(live, terms, size), rtol=1e-5, atol=1e-7
    )


def test_an_unknown_term_scores_zero() -> None:
    keywords = Keywords()
    assert keywords.scores({3: 1.0}, 4).tolist() == [0, 0, 0, 0]
    add_batch(keywords, 0, [[1]])
    assert keywords.scores({3: 1.0, 9000: 2.0}, 1).tolist() == [0]
    assert keywords.idf(9000) == 0
    assert keywords.postings(9000).tolist() == []


def test_a_slot_is_never_reused() -> None:
    keywords = Keywords()
    add_batch(keywords, 0, [[1]])
    keywords.remove(0, *packed([1]))
    with pytest.raises(ValueError, match="above all others"):
        add_batch(keywords, 0, [[2]])
    with pytest.raises(ValueError, match="holds no document"):
        keywords.remove(0, *packed([1]))


def test_many_small_edits_leave_few_runs_behind() -> None:
    keywords = Keywords()
    for slot in range(2000):
        add_batch(keywords, slot, [[slot % 50, 60]])
    assert len(keywords._runs) <= 12
