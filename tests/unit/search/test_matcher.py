"""Names matched as a symbol picker matches them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.search.matcher import SUBSEQUENCE_TOP, match, match_container, match_start, qualified


@pytest.mark.parametrize(
    ("pattern", "better", "worse"),
    [
        ("jset", "JoinSet", "ProjectSettings"),
        ("JS", "JoinSet", "AdjustSize"),
        ("http", "HttpServer", "parseHttp"),
        ("parse", "parse", "parser"),
        ("parse", "parser", "reparse"),
        ("rhs", "raw_hash_set", "marshes"),
        ("gtr", "getThreadRoot", "gathering_tr"),
        ("status", "Status", "StatusOr"),
    ],
)
def test_the_better_name_scores_higher(pattern: str, better: str, worse: str) -> None:
    assert match(pattern, better) > match(pattern, worse)


def test_upper_case_in_the_pattern_must_be_upper_case_in_the_name() -> None:
    assert match("JSet", "joinset") == 0.0
    assert match("jset", "JoinSet") > 0.0


def test_letters_out_of_order_do_not_match() -> None:
    assert match("tesnioj", "JoinSet") == 0.0


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("Foo::bar", ("Foo", "bar")),
        ("a.b.c", ("a b", "c")),
        ("X->y", ("X", "y")),
        ("Foo bar", ("Foo", "bar")),
        ("bar", ("", "bar")),
        ("  ", ("", "")),
    ],
)
def test_qualified_queries_are_split(query: str, parts: tuple[str, str]) -> None:
    assert qualified(query) == parts


def test_a_container_must_be_named_in_order() -> None:
    assert match_container("a b", "a::b") == 1.0
    assert match_container("b a", "a::b") == 0.0
    assert match_container("", "anything") == 1.0


@given(st.text(max_size=20), st.text(max_size=40))
def test_a_score_is_between_zero_and_that_of_the_same_name(pattern: str, name: str) -> None:
    assert 0.0 <= match(pattern, name) <= 1.0


@given(st.text(min_size=1, max_size=40))
def test_a_name_matches_itself_best(name: str) -> None:
    assert match(name, name) == 1.0


def test_camel_case_patterns_match_snake_case_names() -> None:
    assert match("pDate", "parse_date") > 0
    assert match("pDate", "updated") == 0


@given(st.text(r"aB_9]^\-é", min_size=1, max_size=5), st.text(r"aB_9]^\-éx", min_size=1, max_size=12))
def test_a_match_has_the_letters_of_the_pattern_in_order(pattern: str, name: str) -> None:
    rest = iter(name.lower())
    in_order = all(char in rest for char in pattern.lower())
    assert (match(pattern.lower(), name) > 0) == in_order


@given(st.text("abAB_", min_size=1, max_size=4), st.text("abAB_", min_size=1, max_size=8))
def test_a_prefix_match_scores_above_any_other_match(pattern: str, name: str) -> None:
    start = match_start(pattern, name)
    assert match(pattern, name) == start if start else match(pattern, name) <= SUBSEQUENCE_TOP
