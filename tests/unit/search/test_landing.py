"""Which words of a snippet are marked, and where."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sightline.search.query.text_patterns import ExactText
from sightline.search.results.landing import Matcher
from sightline.types import Highlight
from sightline.words import stem

PIECES = st.sampled_from(
    ["read", "Reader", "spread", "files", "openFile", "x", "é", " ", "(", "_", "\n", "\n\n"]
)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_each_mark_is_a_word_of_the_query_at_its_line(text: str) -> None:
    terms = {stem("read"): 1.0, stem("file"): 2.0}
    marks = Matcher(terms).highlights(text)
    lines = text.split("\n")
    marked = [lines[mark.line][mark.start : mark.end] for mark in marks]
    assert all(stem(word.lower()) in terms for word in marked)
    assert list(marks) == sorted(set(marks))


def test_what_must_match_is_marked_too_and_words_inside_it_are_not() -> None:
    marks = Matcher({"file": 1.0}, (ExactText("open file"),)).highlights("a file\n\nx open file\nfile")
    assert marks == (Highlight(0, 2, 6), Highlight(2, 2, 11), Highlight(3, 0, 4))
