"""Scopes: which files they include, and the errors for invalid ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.errors import InvalidRequest
from sightline.search.query.parse_query import parse
from sightline.search.query.scopes import SearchScope
from sightline.search_scope import search_scopes
from sightline.types import Filters, ScopeFiles, SearchRequest
from tests.unit.search.small_index import SmallSearcher

_SCOPE = SearchScope(
    {
        "changed": ScopeFiles(frozenset({"src/auth/token.py", "gone.py"})),
        "open": ScopeFiles(frozenset({"README.md"})),
        "here": ScopeFiles(below="src/auth"),
    }
)

_NO_FILTERS = Filters()


def _paths(
    searcher: SmallSearcher, query: str, scope: SearchScope = _SCOPE, filters: Filters = _NO_FILTERS
) -> set[str]:
    answer = searcher.search(SearchRequest(query, limit=50, filters=filters), scope=scope)
    return {hit.path for hit in answer.hits}


def test_scopes_are_parsed_from_the_query_and_from_the_request() -> None:
    assert parse("in:changed,open -in:here x").filters[0].scope == ("changed", "open", "-here")
    assert parse("x", Filters(scope=("Changed", "-open"))).filters[0].scope == ("changed", "-open")


@pytest.mark.parametrize("query", ["in:chnged x", "-in:everywhere", "in: x"])
def test_an_unknown_scope_is_an_error_that_names_it(query: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse(query)
    assert query.split(maxsplit=1)[0] in str(caught.value)


def test_the_error_for_an_unknown_scope_lists_the_allowed_ones() -> None:
    with pytest.raises(InvalidRequest, match=r"changed, here, open.*Did you mean changed\?"):
        parse("in:chnged")
    with pytest.raises(InvalidRequest, match="changed, here, open"):
        parse("x", Filters(scope=("staged",)))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("token in:changed", {"src/auth/token.py"}),
        ("token in:here", {"src/auth/token.py", "src/auth/session.py"}),
        ("in:open", {"README.md"}),
        ("in:open in:changed", {"README.md", "src/auth/token.py"}),
        ("in:here -in:changed", {"src/auth/session.py"}),
    ],
)
def test_a_scope_restricts_the_results_to_its_files(
    searcher: SmallSearcher, query: str, expected: set[str]
) -> None:
    assert _paths(searcher, query) == expected


def test_a_scope_of_the_request_restricts_the_results_to_its_files(searcher: SmallSearcher) -> None:
    assert _paths(searcher, "token", filters=Filters(scope=("changed",))) == {"src/auth/token.py"}


def test_a_changed_scope_is_not_answered_from_the_cache(searcher: SmallSearcher) -> None:
    assert _paths(searcher, "token in:changed") == {"src/auth/token.py"}
    now = SearchScope({"changed": ScopeFiles(frozenset({"README.md"}))})
    assert _paths(searcher, "token in:changed", now) == {"README.md"}


def test_a_folder_scope_excludes_folders_with_the_same_prefix() -> None:
    assert not ScopeFiles(below="src/auth").has("src/authors.py")
    assert ScopeFiles(below="").has("a.py")
    assert not ScopeFiles().has("a.py")


def test_here_is_resolved_in_each_folder(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    found = search_scopes([one, other], parse("in:here").filters, None, one / "src")
    assert (found[one].scopes["here"].below, found[other].scopes["here"].below) == ("src", None)
    assert search_scopes([one], parse("in:here").filters, None, tmp_path)[one].scopes["here"].below == ""


@pytest.mark.parametrize(
    ("query", "message"),
    [("in:open", "needs an editor"), ("in:here", "currentDocument"), ("-in:changed", "git repository")],
)
def test_a_scope_that_cannot_be_resolved_is_an_error(tmp_path: Path, query: str, message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        search_scopes([tmp_path], parse(query).filters, None, None)


def test_a_file_outside_the_folders_has_no_here_scope(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="in no folder that is searched"):
        search_scopes([tmp_path / "one"], parse("in:here").filters, {}, tmp_path / "two")
