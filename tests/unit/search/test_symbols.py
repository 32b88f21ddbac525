"""Symbols by name."""

from __future__ import annotations

import pytest

from sightline.errors import Cancelled
from sightline.search.engine import Searcher


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("TokenStore", "TokenStore"),
        ("tokst", "TokenStore"),
        ("TS", "TokenStore"),
        ("verpass", "verify_password"),
        ("LruCache.get", "get"),
        ("session login", "login"),
        ("write_at", "write_atomically"),
    ],
)
def test_the_symbol_that_is_meant_comes_first(searcher: Searcher, query: str, first: str) -> None:
    assert searcher.symbols(query)[0].symbol.name == first


def test_a_symbol_says_where_its_name_is(searcher: Searcher) -> None:
    found = searcher.symbols("sign_payload")[0]
    assert found.path == "src/auth/token.py"
    assert found.symbol.name_column == len("def ")


def test_source_comes_before_tests(searcher: Searcher) -> None:
    paths = [found.path for found in searcher.symbols("revoke")]
    assert paths[0] == "src/auth/token.py"
    assert "tests/test_token.py" in paths[1:]


def test_an_empty_query_and_a_hopeless_one_find_nothing(searcher: Searcher) -> None:
    assert searcher.symbols("") == []
    assert searcher.symbols("   ") == []
    assert searcher.symbols("qqqqzzzz") == []


def test_the_limit_holds(searcher: Searcher) -> None:
    assert len(searcher.symbols("e", limit=2)) == 2


def test_a_cancelled_search_stops(searcher: Searcher) -> None:
    with pytest.raises(Cancelled):
        searcher.symbols("token", cancelled=lambda: True)
