"""Globs over paths and names."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidRequest
from sightline.search.globs import name_pattern, path_pattern


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
def test_path_globs(glob: str, path: str, expected: bool) -> None:
    assert bool(path_pattern(glob).fullmatch(path)) is expected


def test_name_globs_ignore_case_unless_they_have_an_upper_case_letter() -> None:
    assert name_pattern("user*").fullmatch("UserStore")
    assert name_pattern("User*").fullmatch("UserStore")
    assert not name_pattern("User*").fullmatch("userStore")


@given(st.text(max_size=30))
def test_any_glob_is_read_or_refused(glob: str) -> None:
    for make in (path_pattern, name_pattern):
        with contextlib.suppress(InvalidRequest):
            make(glob).fullmatch("src/main.py")
