"""Which lines of a hit are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sightline.search.results.context import MAX_CHARACTERS, MAX_LINES, show

LINES = [f"line {number}" for number in range(300)]


def test_the_whole_enclosing_definition_is_shown_when_it_fits() -> None:
    span, snippet = show(LINES, (12, 14), (10, 20), "smart")
    assert span == (10, 20)
    assert snippet.text.splitlines() == LINES[10:21]
    assert not snippet.truncated


def test_a_long_definition_is_cut_around_the_match() -> None:
    span, snippet = show(LINES, (150, 155), (10, 290), "smart")
    assert span[1] - span[0] + 1 == MAX_LINES
    assert span[0] <= 150
    assert span[1] >= 155
    assert snippet.truncated


def test_long_lines_are_cut() -> None:
    _, snippet = show(["x" * 1000], (0, 0), None, "none")
    assert len(snippet.text) == MAX_CHARACTERS
    assert snippet.truncated


def test_explicit_lines_before_and_after_stop_at_the_ends_of_the_file() -> None:
    span, _ = show(LINES, (1, 1), (0, 50), (3, 2))
    assert span == (0, 3)


@given(
    st.integers(1, 200),
    st.integers(0, 250),
    st.integers(0, 100),
    st.integers(0, 100),
    st.sampled_from(["smart", "none", (3, 4), (0, 500)]),
)
def test_the_snippet_is_bounded_inside_the_file_and_contains_the_match(
    count: int, start: int, length: int, around: int, context: object
) -> None:
    match = (start, start + length)
    # Sampled from a list of mixed types.
    span, snippet = show(LINES[:count], match, (max(0, start - around), match[1] + around), context)  # type: ignore[arg-type]
    assert 0 <= span[0] <= span[1]
    assert span[1] - span[0] < MAX_LINES
    assert span[0] <= min(start, count - 1) <= span[1]
    assert snippet.start_line == span[0]
    assert len(snippet.text.splitlines()) <= MAX_LINES
