"""Symbols by name."""

from __future__ import annotations

import pytest

from sightline.errors import Cancelled
from sightline.search.symbol_finder import SymbolFinder


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
def test_the_intended_symbol_comes_first(symbols: SymbolFinder, query: str, first: str) -> None:
    assert symbols.find(query, 100)[0].symbol.name == first


def test_a_symbol_has_the_position_of_its_name(symbols: SymbolFinder) -> None:
    found = symbols.find("sign_payload", 100)[0]
    assert found.path == "src/auth/token.py"
    assert found.symbol.name_column == len("def ")


def test_source_comes_before_tests(symbols: SymbolFinder) -> None:
    paths = [found.path for found in symbols.find("revoke", 100)]
    assert paths[0] == "src/auth/token.py"
    assert "tests/test_token.py" in paths[1:]


def test_an_empty_query_and_one_without_a_match_find_nothing(symbols: SymbolFinder) -> None:
    assert symbols.find("", 100) == []
    assert symbols.find("   ", 100) == []
    assert symbols.find("qqqqzzzz", 100) == []


def test_the_limit_is_applied(symbols: SymbolFinder) -> None:
    assert len(symbols.find("e", limit=2)) == 2


def test_a_cancelled_search_stops(symbols: SymbolFinder) -> None:
    with pytest.raises(Cancelled):
        symbols.find("token", 100, cancelled=lambda: True)


@pytest.mark.parametrize("query", ["t", "re", "token", "s", "e", "get", "TokenStore.r"])
def test_a_short_page_is_a_prefix_of_a_long_one(symbols: SymbolFinder, query: str) -> None:
    force = symbols.find(query, 1000)
    for limit in range(1, len(force) + 1):
        assert symbols.find(query, limit) == force[:limit]
