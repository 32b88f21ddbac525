"""What kind of question a query is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.search.classify import Name, classify


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
def test_a_lone_name_is_a_symbol_query(query: str, name: str, container: str) -> None:
    intent = classify(query)
    assert intent.kind == "symbol"
    assert intent.names == (Name(name, container, certain=True),)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("how does dependency injection work", "exploratory"),
        ("radix tree path matching", "exploratory"),
        ("why is the cache cleared?", "exploratory"),
        ("retry after ECONNREFUSED", "factual"),
        ("error E0308 mismatched types", "factual"),
        ('the message "connection closed" in the pool', "factual"),
        ("what calls `flush` on exit", "factual"),
        ("where is the router", "navigational"),
        ("installation guide", "navigational"),
        ("server/main.go start", "navigational"),
    ],
)
def test_sentences_are_told_apart(query: str, kind: str) -> None:
    assert classify(query).kind == kind


def test_names_inside_a_sentence_are_found_and_those_of_code_shape_are_certain() -> None:
    names = {name.name: name.certain for name in classify("how EitherT combines the Either monad").names}
    assert names["EitherT"] is True
    assert names["Either"] is False
    assert "combines" not in names


def test_quoted_phrases_are_kept() -> None:
    assert classify('log "bad request" once').phrases == ("bad request",)


@given(st.text(max_size=300))
def test_any_text_has_a_kind(text: str) -> None:
    assert classify(text).kind in ("symbol", "factual", "navigational", "exploratory")
