"""The query language: what is a filter, what is text, and what is reported as an error."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidRequest
from sightline.search.query.parse_query import parse
from sightline.types import Filters


def test_filters_are_removed_from_the_text() -> None:
    parsed = parse("lang:go path:src/** -path:**/tests/** kind:method name:User* read the token")
    assert parsed.text == "read the token"
    assert parsed.filters == (
        Filters(
            languages=("go",),
            paths=("src/**",),
            exclude_paths=("**/tests/**",),
            kinds=("method",),
            name="User*",
        ),
    )


@pytest.mark.parametrize(
    ("alias", "language"),
    [
        ("sh", "bash"),
        ("shell", "bash"),
        ("terraform", "hcl"),
        ("ts", "typescript"),
        ("js", "javascript"),
        ("py", "python"),
        ("c++", "cpp"),
        ("Go", "go"),
    ],
)
def test_language_aliases_are_accepted(alias: str, language: str) -> None:
    assert parse(f"lang:{alias} x").filters[0].languages == (language,)


def test_one_filter_accepts_several_values() -> None:
    filters = parse("lang:go,py kind:class,function x").filters[0]
    assert filters.languages == ("go", "python")
    assert filters.kinds == ("class", "function")


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("lang:klingon x", "lang:klingon"),
        ("kind:klass x", "kind:klass"),
        ("path:src/[ x", "src/["),
        ("path:{a,b x", "{a,b"),
        ("lang: x", "lang:"),
        ('name:"" x', "name:"),
        ("-lang:go x", "-lang:go"),
        ("name:A name:B", "name:B"),
        ("language:go x", "language:"),
        ("file:main.c x", "file:"),
        ("path:/ x", "/"),
    ],
)
def test_an_invalid_filter_is_an_error_that_names_it(query: str, named: str) -> None:
    with pytest.raises(InvalidRequest) as error:
        parse(query)
    assert named in str(error.value)


def test_the_nearest_kind_is_suggested() -> None:
    with pytest.raises(InvalidRequest, match="class"):
        parse("kind:clas x")


@pytest.mark.parametrize(
    "text",
    ["std::string", "http://host/a", "`lang:go`", "error: not found", "a.b:c", "12:30"],
)
def test_words_that_are_not_filters_stay_text(text: str) -> None:
    assert parse(text).text == text
    assert parse(text).filters == ()


def test_a_value_with_spaces_is_quoted() -> None:
    assert parse('path:"my folder/**" x').filters[0].paths == ("my folder/**",)


def test_filters_of_the_request_are_added_to_those_of_the_query() -> None:
    parsed = parse("lang:go x", Filters(languages=("py",), paths=("src",)))
    assert [filters.languages for filters in parsed.filters] == [("go",), ("python",)]


def test_an_invalid_filter_of_the_request_is_an_error() -> None:
    with pytest.raises(InvalidRequest, match="known language"):
        parse("x", Filters(languages=("klingon",)))


def test_a_query_over_ten_thousand_characters_is_refused() -> None:
    assert parse("a " * 5000).text
    with pytest.raises(InvalidRequest, match="10000"):
        parse("a" * 10_001)


def test_control_characters_are_dropped() -> None:
    assert parse("read\x00 \x1b[31mtoken").text == "read [31mtoken"


@given(st.text(max_size=200))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    with contextlib.suppress(InvalidRequest):
        assert "\n" not in parse(text).text
