"""Globs over paths and names."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sightline.errors import InvalidRequest
from sightline.search.query.path_globs import name_pattern, path_pattern


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("src/**", "src/a/b.py", True),
        ("src/**", "lib/src/a.py", False),
        ("**/tests/**", "a/tests/b.py", True),
        ("**/tests/**", "tests/b.py", True),
        ("**/tests/**", "a/testsuite/b.py", False),
        ("*.go", "deep/down/main.go", True),
        ("*.go", "main.gone", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("src", "src/a/b.py", True),
        ("src", "a/src/b.py", True),
        ("/src", "a/src/b.py", False),
        ("./src/", "src/b.py", True),
        ("a?c.py", "abc.py", True),
        ("[ab].py", "b.py", True),
        ("[!ab].py", "b.py", False),
        ("*.{ts,tsx}", "x/y.tsx", True),
        ("*.{ts,tsx}", "x/y.js", False),
        ("a+b.py", "a+b.py", True),
        ("IMessagePackFormatter`1.cs", "x/IMessagePackFormatter`1.cs", True),
    ],
)
def test_path_globs_match_the_expected_paths(glob: str, path: str, expected: bool) -> None:
    assert bool(path_pattern(glob).fullmatch(path)) is expected


def test_name_globs_ignore_case_unless_they_have_an_upper_case_letter() -> None:
    assert name_pattern("user*").fullmatch("UserStore")
    assert name_pattern("User*").fullmatch("UserStore")
    assert not name_pattern("User*").fullmatch("userStore")


@given(st.text(max_size=30))
def test_any_glob_is_parsed_or_refused(glob: str) -> None:
    for make in (path_pattern, name_pattern):
        with contextlib.suppress(InvalidRequest):
            make(glob).fullmatch("src/main.py")


_HOSTILE = {
    "stars": "*a*a*a*a*a*a*a*a*a*a*a*a*b",
    "folders": "**/" * 16 + "zz",
    "double stars": "**a" * 8 + "b",
    "braces": "{a,aa,aaa}" * 25 + "b",
    "nested braces": "{a,{a,{a,{a,{a,{a,aa}}}}}}" * 4 + "*b",
}


@pytest.mark.parametrize("glob", _HOSTILE.values(), ids=_HOSTILE)
def test_no_glob_makes_matching_slow(glob: str) -> None:
    # Backtracking would practically never end; the suite's time limit ends the test.
    text = "/".join(["a" * 200] * 10)
    assert not path_pattern(glob).fullmatch(text)
    assert not name_pattern(glob).fullmatch("a" * 2000)


@pytest.mark.parametrize(
    ("glob", "message"),
    [
        ("{" * 2000 + "a" + "}" * 2000, "characters"),
        ("{" * 500 + "a" + "}" * 500, "500 braces"),
        ("*a" * 40, "40 stars"),
        ("{" + "a," * 300 + "}", "300 alternatives"),
        ("a" * 3000, "3000 characters"),
        ("[z-a]", "z-a"),
        ("{a,b", "without"),
    ],
)
def test_a_glob_over_the_limits_is_refused_in_one_short_sentence(glob: str, message: str) -> None:
    for make in (path_pattern, name_pattern):
        with pytest.raises(InvalidRequest, match=message) as error:
            make(glob)
        assert len(str(error.value)) < 200


def test_one_matching_glob_is_enough_and_their_number_is_bounded() -> None:
    pattern = path_pattern("src/**", "*.md")
    assert [bool(pattern.fullmatch(path)) for path in ("src/a.py", "x/b.md", "x/a.py")] == [True, True, False]
    assert not path_pattern().fullmatch("src/a.py")
    with pytest.raises(InvalidRequest, match="101 globs"):
        path_pattern(*(f"x{number}" for number in range(101)))


def _regex(glob: str) -> str:
    """The meaning of a glob as a regular expression, which can be extremely slow on long texts."""
    parts = re.split(r"(?:(?<=/)|^)(\*\*/)|(\*\*)|([*?{},])", glob)
    words = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")", ",": "|"}
    return "".join(words.get(part) or re.escape(part) for part in parts if part)


@given(st.text("ab/*?", max_size=8), st.text("ab/", min_size=1, max_size=10))
def test_a_glob_matches_the_same_as_its_regular_expression(glob: str, path: str) -> None:
    body = glob.strip("/")
    assume(body)
    anywhere = "" if "/" in glob.rstrip("/") else "(?:.*/)?"
    expected = re.fullmatch(f"{anywhere}{_regex(body)}(?:/.*)?", path, re.DOTALL)
    assert path_pattern(glob).fullmatch(path) == (expected is not None)


@given(
    st.text("ab*?", max_size=4), st.lists(st.text("ab*", max_size=3), min_size=1), st.text("ab", max_size=8)
)
def test_braces_match_any_of_their_alternatives(head: str, alternatives: list[str], name: str) -> None:
    glob = f"{head}{{{','.join(alternatives)}}}b"
    assert name_pattern(glob).fullmatch(name) == (re.fullmatch(_regex(glob), name) is not None)
