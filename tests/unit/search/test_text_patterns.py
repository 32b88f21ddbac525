"""Texts and expressions that must match: their syntax, what is refused, how long they take."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidRequest
from sightline.search.query.parse_query import parse
from sightline.search.query.text_patterns import ExactText, Expression, whole_words
from sightline.words import tokens


@pytest.mark.parametrize(
    ("query", "text", "patterns"),
    [
        ('"connection refused" retry', "retry", (ExactText("connection refused"),)),
        ('retry "a" "b"', "retry", (ExactText("a"), ExactText("b"))),
        (r'"say \"hi\""', "", (ExactText('say "hi"'),)),
        (r"re:/raise \w+/ errors", "errors", (Expression(r"raise \w+"),)),
        ("re:/todo/i", "", (Expression("todo", True),)),
        ("re:/src/main/ x", "x", (Expression("src/main"),)),
        (r"re:/a\/b/ x", "x", (Expression(r"a\/b"),)),
        ('"lang:go" x', "x", (ExactText("lang:go"),)),
    ],
)
def test_required_patterns_are_removed_from_the_text(
    query: str, text: str, patterns: tuple[ExactText | Expression, ...]
) -> None:
    parsed = parse(query)
    assert (parsed.text, parsed.patterns) == (text, patterns)


@pytest.mark.parametrize(
    "query",
    ['print("a")', '""', '" "', '"', 'x" y "z', "`re:/x/`", "re: the meeting", "http://re:/x", "`a b`"],
)
def test_other_quotes_and_slashes_are_text(query: str) -> None:
    assert parse(query).text == query
    assert parse(query).patterns == ()


def test_quotes_in_a_pasted_report_are_not_required_to_match() -> None:
    report = 'It says "no such table" when I start\n\nTraceback (most recent call last):\n  ...'
    assert parse(report).patterns == ()


@pytest.mark.parametrize(
    "message",
    [
        'Comment "TODO" was not printed. Please report this error!',
        'Could not find the file "main.c" in any folder.',
        'requested version "4.0.0" does not exist for plugin "diff"',
        'error: no parser for file "Makefile"',
        'SASS path conflict: "main.sass" and "main.scss" both compile to "main.css"',
        'A value was detected in the path: "user". Value:',
        'user not found: token "ann@example.org"',
        '"/user/{id" contains malformed dynamic segment',
    ],
)
def test_quotes_in_a_pasted_message_are_not_required_to_match(message: str) -> None:
    assert parse(message).patterns == ()
    assert parse(message).text == message


@pytest.mark.parametrize(
    "query",
    [
        'how is "max_retries" checked?',
        'the "TODO" comments.',
        'files where "a.b" is read',
        'Where is "not found" raised in the server',
        'log "retrying" with the number of attempts',
    ],
)
def test_quotes_in_a_question_or_phrase_are_required_to_match(query: str) -> None:
    assert len(parse(query).patterns) == 1


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("re:/abc", "no '/' at its end"),
        ("re:/(a/", "a '(' has no ')'"),
        ("re:/a)(b/", "a ')' has no '('"),
        ("re:/[a/", "a '[' has no ']'"),
        ("re:/a(?=b)/", "looking ahead"),
        (r"re:/(a)\1/", "references to groups"),
        ("re:/a**/", "a repetition is repeated"),
        ("re:/*/", "there is nothing before a repetition to repeat"),
        ("re:/a*/", "matches the empty text"),
        ("re:/a/x", "the only flag is 'i'"),
        ("-re:/a/", "cannot be negated"),
        ("re:/((a{99}){99}){99}/", "too large"),
        (f"re:/{'a' * 1500}/", "at most 1000"),
        (" ".join(f'"{number}"' for number in range(9)), "at most 8"),
    ],
)
def test_an_invalid_expression_is_refused_with_the_reason(query: str, message: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse(query)
    assert message in str(caught.value)


def _calls(run: Callable[[], object]) -> int:
    """How many functions a call runs, which does not depend on how busy the machine is."""
    count = 0

    def note(*_: object) -> None:
        nonlocal count
        count += 1

    # A collection of garbage in between would call the finalizers of other tests.
    gc.disable()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "source",
    [
        "(a+)+b",
        "(a|a)*b",
        "(a|aa)+b",
        "(.*a){20}b",
        "a*a*a*a*a*b",
        "(x+x+)+y",
        r"(\w+\s?)+:",
        "^(([a-z])+.)+[A-Z]",
    ],
)
def test_no_expression_takes_more_than_one_pass_over_the_text(source: str) -> None:
    """With each of these, a backtracking engine would practically never end."""
    expression = Expression(source)
    expression.occurs("a")
    short, long = "ax" * 50, "ax" * 50_000
    assert _calls(lambda: expression.occurs(long)) == _calls(lambda: expression.occurs(short))
    assert expression.occurs(long) in (True, False)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text", ['"' * 9000, '" ' * 4900, "re:/1 " * 1600, '"\\" ' * 2400, "`" * 9000, "in:" * 3000]
)
def test_no_query_takes_long_to_parse(text: str) -> None:
    with contextlib.suppress(InvalidRequest):
        assert parse(text).text


def test_anchors_match_at_the_ends_of_lines() -> None:
    assert Expression("^b$").occurs("a\nb\nc")
    assert not Expression("a.b").occurs("a\nb")


def test_a_pattern_reports_the_span_of_every_match() -> None:
    assert list(Expression("ä+", True).stretches("xÄä ä")) == [(1, 3), (4, 5)]
    assert list(ExactText("aa").stretches("aaaa a")) == [(0, 2), (2, 4)]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (r"raise ValueError\(", {"valueerror"}),
        (r"\braise ValueError from \w+", {"valueerror", "from"}),
        (r"a (b|c) d e f", {"d", "e"}),
        (r"one two|three four five", set()),
        (r"a foo? b", set()),
        (r"x foo{2} y", set()),
        (r"x [foo bar baz] y", set()),
        (r"x y* z bar q", {"z", "bar"}),
    ],
)
def test_required_words_are_those_of_every_match(source: str, words: set[str]) -> None:
    assert Expression(source).words == {tokens(word)[0] for word in words}


_LETTERS = st.text(alphabet="aBc_1 .(", max_size=12)


@given(_LETTERS, _LETTERS, _LETTERS)
def test_a_text_that_contains_a_literal_contains_its_whole_words(
    before: str, literal: str, after: str
) -> None:
    assert whole_words(literal) <= set(tokens(before + literal + after))


@given(_LETTERS, _LETTERS, _LETTERS)
def test_whole_words_do_not_depend_on_case(before: str, literal: str, after: str) -> None:
    assert whole_words(literal) <= set(tokens(before + literal.upper() + after))
