"""The words that the packaged model reads, and how often."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from sightline.embedding.words import saturated_words


def test_identifiers_are_cut_and_lower_cased() -> None:
    assert saturated_words("getHTTPResponse snake_case2").split() == [
        "get",
        "http",
        "response",
        "snake",
        "case",
        "2",
    ]


def test_the_eighth_occurrence_adds_less_than_the_second() -> None:
    assert saturated_words("a " * 1).split() == ["a"]
    assert saturated_words("a " * 2).split() == ["a"] * 2
    assert saturated_words("a " * 8).split() == ["a"] * 4


@given(st.lists(st.sampled_from(["read", "write", "file"]), max_size=40))
def test_the_order_of_words_does_not_change_their_counts(words: list[str]) -> None:
    one, other = saturated_words(" ".join(words)), saturated_words(" ".join(sorted(words)))
    assert Counter(one.split()) == Counter(other.split())


@given(st.text())
def test_every_word_of_any_text_is_kept_and_none_is_added(text: str) -> None:
    read = set(saturated_words(text).split())
    assert all(word in text.lower() for word in read if word.isascii())
    assert saturated_words(" ".join(read)).split().__len__() >= len(read)
