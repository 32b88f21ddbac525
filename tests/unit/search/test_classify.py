"""How queries are classified."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.search.query.classify import KINDS, Name, classify


@pytest.mark.parametrize(
    ("query", "name", "container"),
    [
        ("flat_hash_map", "flat_hash_map", ""),
        ("Status", "Status", ""),
        ("Foo::bar", "bar", "Foo"),
        ("a.b.c", "c", "b"),
        ("X->y", "y", "X"),
        ("`ServeHTTP`", "ServeHTTP", ""),
        ("parse()", "parse", ""),
        ("class JoinSet", "JoinSet", ""),
        ("func ServeHTTP", "ServeHTTP", ""),
        ("empty?", "empty?", ""),
    ],
)
def test_a_single_name_is_a_symbol_query(query: str, name: str, container: str) -> None:
    intent = classify(query)
    assert intent.kind == "symbol"
    assert intent.names == (Name(name, container, certain=True),)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("how does dependency injection work", "question"),
        ("how to add a middleware", "question"),
        ("how errors are handled and recovered", "heading"),
        ("how errors are handled?", "question"),
        ("why is the cache cleared?", "question"),
        ("where is the router", "question"),
        ("radix tree path matching", "topic"),
        ("installation guide", "topic"),
        ("absl::Mutex and MutexLock for synchronization", "topic"),
        ("Fix a crash when the header is empty", "change"),
        ("don't retry after ECONNREFUSED", "change"),
        ("allow trailing commas", "change"),
        ("Returns the number of open connections", "statement"),
        ("the socket is closed twice", "statement"),
        ("insert_register was using incorrect count", "statement"),
    ],
)
def test_sentences_are_classified(query: str, kind: str) -> None:
    assert classify(query).kind == kind


def test_names_in_a_sentence_are_found_and_those_in_code_style_are_certain() -> None:
    names = {name.name: name.certain for name in classify("how EitherT combines the Either monad").names}
    assert names["EitherT"] is True
    assert names["Either"] is False
    assert "combines" not in names


def test_only_a_sentence_mentions_a_name() -> None:
    assert classify("why does parseHeader fail").mentions_name
    assert not classify("parseHeader").mentions_name
    assert not classify("why does parsing fail").mentions_name


@given(st.text(max_size=300))
def test_any_text_has_a_kind(text: str) -> None:
    assert classify(text).kind in KINDS
