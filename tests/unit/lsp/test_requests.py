"""Params are parsed, or refused with a sentence that names the member."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import InvalidRequest
from sightline.requests.read_requests import read_place, read_search
from sightline.types import Filters, SearchRequest

PLACE = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 3, "character": 1}}


def test_only_the_query_is_required() -> None:
    params = read_search({"query": "parse a date"}, limit=25)
    assert params.request == SearchRequest("parse a date", limit=25)
    assert (params.folders, params.work_done, params.partial) == (None, None, None)


def test_every_member_is_parsed() -> None:
    params = read_search(
        {
            "query": "q",
            "limit": 5,
            "offset": 10,
            "mode": "keyword",
            "filters": {
                "languages": ["go"],
                "paths": ["a/**"],
                "excludePaths": ["b"],
                "kinds": ["class"],
                "name": "N",
                "scope": ["changed", "-open"],
            },
            "folders": ["file:///w"],
            "minScore": 0.5,
            "onePerFile": True,
            "context": {"before": 2, "after": 3},
            "explain": True,
            "workDoneToken": 7,
            "partialResultToken": "p",
            "currentDocument": "file:///w/a.py",
        }
    )
    filters = Filters(("go",), ("a/**",), ("b",), ("class",), "N", ("changed", "-open"))
    assert params.request == SearchRequest("q", 5, 10, "keyword", filters, 0.5, True, (2, 3), True)
    assert (params.folders, params.work_done, params.partial) == (("file:///w",), 7, "p")
    assert params.current == "file:///w/a.py"


def test_null_means_absent() -> None:
    params = read_search({"query": "q", "limit": None, "filters": None, "mode": None, "context": None})
    assert params.request == SearchRequest("q")


@pytest.mark.parametrize(
    ("extra", "named"),
    [
        ({"limit": 0}, "params.limit"),
        ({"limit": 10**9}, "params.limit"),
        ({"limit": True}, "params.limit"),
        ({"limit": "ten"}, "params.limit"),
        ({"offset": -1}, "params.offset"),
        ({"mode": "magic"}, "params.mode"),
        ({"filters": []}, "params.filters"),
        ({"filters": {"language": ["go"]}}, "params.filters.language"),
        ({"filters": {"paths": "a"}}, "params.filters.paths"),
        ({"filters": {"paths": [1]}}, "params.filters.paths[0]"),
        ({"folders": "file:///w"}, "params.folders"),
        ({"filters": {"scope": "changed"}}, "params.filters.scope"),
        ({"currentDocument": 3}, "params.currentDocument"),
        ({"minScore": float("nan")}, "params.minScore"),
        ({"minScore": 2}, "params.minScore"),
        ({"onePerFile": 1}, "params.onePerFile"),
        ({"context": "much"}, "params.context"),
        ({"context": {"before": -1}}, "params.context.before"),
        ({"partialResultToken": {}}, "params.partialResultToken"),
        ({"query": None}, "params.query"),
        ({"query": ["a"]}, "params.query"),
        ({"query": "x" * 20_000}, "params.query"),
    ],
)
def test_the_error_names_the_invalid_member(extra: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_search({"query": "q", **extra})
    assert named in str(caught.value)


@pytest.mark.parametrize("params", [None, [], "query", 3])
def test_params_must_be_an_object(params: object) -> None:
    with pytest.raises(InvalidRequest, match="params must be an object"):
        read_search(params)


def test_a_lone_surrogate_in_a_query_can_be_encoded() -> None:
    read_search({"query": "a\ud800b"}).request.query.encode("utf-8")


def test_a_place_is_parsed() -> None:
    place = read_place({**PLACE, "limit": 4})
    assert (place.uri, place.line, place.character, place.limit) == ("file:///a.py", 3, 1, 4)


@pytest.mark.parametrize("missing", ["textDocument", "position"])
def test_a_place_without_a_member_is_refused(missing: str) -> None:
    with pytest.raises(InvalidRequest, match=f"params.{missing} is missing"):
        read_place({key: value for key, value in PLACE.items() if key != missing})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
members = st.sampled_from(
    ("query", "limit", "offset", "mode", "filters", "folders", "minScore", "onePerFile", "context", "explain")
)


@given(st.dictionaries(members, json_values))
def test_any_json_is_parsed_or_refused(params: dict[str, Any]) -> None:
    with contextlib.suppress(InvalidRequest):
        read_search(params).request.query.encode("utf-8")
