"""How text becomes search terms."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sightline.words import counted, fold, fold_all, lines_of, split, stem, tokens

_PARTS = st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=8), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("identifier", "parts"),
    [
        ("getHTTPResponse", ["get", "http", "response"]),
        ("HTTPServer2", ["http", "server", "2"]),
        ("snake_case_name", ["snake", "case", "name"]),
        ("SCREAMING_SNAKE", ["screaming", "snake"]),
        ("__init__", ["init"]),
        ("URLs", ["urls"]),
        ("größeÄndern", ["größeändern"]),
        ("utf8", ["utf", "8"]),
        ("x", ["x"]),
        ("", []),
    ],
)
def test_an_identifier_is_split_at_capitals_underscores_and_digits(identifier: str, parts: list[str]) -> None:
    assert split(identifier) == parts


def test_a_compound_is_found_whole_and_by_its_stemmed_parts() -> None:
    assert tokens("getHTTPResponse") == ["gethttprespons", "get", "http", "respons"]


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_text_has_the_terms_that_it_has_in_any_other_text(text: str) -> None:
    assert [*tokens(text), "ß"] == tokens(f"{text} ß")
    assert split(text) == split(f"{text} ß")[:-1]


def test_punctuation_separates_and_is_not_kept() -> None:
    assert tokens("a.b(c) -> d::e, 'f'") == ["a", "b", "c", "d", "e", "f"]


def test_forms_of_a_word_share_their_stem() -> None:
    assert {stem(word) for word in ("connect", "connects", "connected", "connecting")} == {"connect"}


@given(_PARTS)
def test_the_spellings_of_one_name_give_the_same_terms(parts: list[str]) -> None:
    snake = tokens("_".join(parts))
    assert tokens("_".join(parts).upper()) == snake
    assert tokens("".join(part.capitalize() for part in parts)) == snake
    assert tokens(parts[0] + "".join(part.capitalize() for part in parts[1:])) == snake


@given(_PARTS)
def test_a_query_of_plain_words_matches_every_part_of_a_name(parts: list[str]) -> None:
    assert set(tokens(" ".join(parts))) <= set(tokens("_".join(parts)))


@given(st.text(max_size=200))
def test_any_text_gives_lower_case_terms_and_never_an_empty_one(text: str) -> None:
    for term in tokens(text):
        assert term
        assert term == term.lower()
        assert not any(character.isspace() for character in term)


@given(st.text(max_size=100), st.text(max_size=100))
def test_lines_do_not_influence_each_other(first: str, second: str) -> None:
    assert tokens(f"{first}\n{second}") == tokens(first) + tokens(second)


@given(_PARTS)
def test_a_term_that_is_searched_for_finds_itself(parts: list[str]) -> None:
    """The whole compound, typed in lower case, matches the compound in the document."""
    assume(len(parts) > 1)
    assert set(tokens("".join(parts))) <= set(tokens("_".join(parts)))


def test_the_length_of_a_term_is_bounded() -> None:
    assert max(map(len, tokens("a" * 10_000))) <= 64
    assert max(map(len, tokens("aB" * 10_000))) <= 64


def test_lines_break_where_editors_break_them() -> None:
    assert lines_of("a\r\nb\x0cc\nd\u2028e\rf") == ["a", "b\x0cc", "d\u2028e", "f"]


@pytest.mark.parametrize("name", ["flat_hash_maps", "FlatHashMap", "FLAT_HASH_MAP", "flatHashMaps"])
def test_a_folded_name_has_no_case_no_underscores_and_no_plural(name: str) -> None:
    assert fold(name) == "flathashmap"


@given(st.lists(st.text("aBcSs1_2 \n\r\u2028ÄßΣς-") | st.text(max_size=20)))
def test_names_folded_together_equal_names_folded_one_by_one(names: list[str]) -> None:
    assert fold_all(names) == [fold(name) for name in names]


@given(st.text("aB_9 .é\n", max_size=60))
def test_counting_terms_equals_splitting_and_then_counting(text: str) -> None:
    assert counted(text) == Counter(tokens(text))
