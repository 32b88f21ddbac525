"""Responses are JSON that every client can parse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.lsp import answers
from sightline.lsp.positions import Encoding
from sightline.requests.uris import Roots
from sightline.types import Coverage, FolderStatus, Highlight, SearchResult, Selection, Snippet, SymbolInfo
from tests.unit.sample_hits import sample_hit

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.floats().map(np.float64)
    | st.just(Path()),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=10,
)


@given(values)
def test_any_explanation_of_a_stage_becomes_strict_json(value: object) -> None:
    json.dumps(answers.plain(value), allow_nan=False)


def test_numpy_numbers_become_json_numbers() -> None:
    assert answers.plain({"score": np.float32(0.5), "rank": np.int64(3)}) == {"score": 0.5, "rank": 3}


def test_a_range_ends_at_the_start_of_the_line_after() -> None:
    wire = answers.hits([sample_hit()], Roots(), "utf-16")[0]
    assert wire["range"] == {"start": {"line": 3, "character": 0}, "end": {"line": 6, "character": 0}}
    assert wire["contextRange"] == {"start": {"line": 2, "character": 0}, "end": {"line": 7, "character": 0}}


def test_unknown_members_are_omitted() -> None:
    wire = answers.hits([sample_hit()], Roots(), "utf-16")[0]
    assert not {"symbol", "explain", "reason"} & set(wire)
    coverage = Coverage("ready", 1, 1)
    result = answers.search_result(
        SearchResult((sample_hit(),), 1, 1.23456, False, coverage), Roots(), "utf-16"
    )
    assert "reason" not in result["coverage"]
    assert result["tookMs"] == 1.235


def test_a_hit_in_a_notebook_has_its_cell() -> None:
    assert answers.hits([sample_hit(cell=0)], Roots(), "utf-16")[0]["cell"] == 0
    assert "cell" not in answers.hits([sample_hit()], Roots(), "utf-16")[0]


def test_a_symbol_without_a_container_has_none() -> None:
    inside = sample_hit(symbol=SymbolInfo("f", "function", "", "def f()"))
    assert answers.hits([inside], Roots(), "utf-16")[0]["symbol"] == {
        "name": "f",
        "kind": "function",
        "signature": "def f()",
    }


def test_a_status_line_is_readable_text() -> None:
    folder = FolderStatus("/w/shop", "ready", 5, 5, 9, 9, 1, "packaged", {}, {}, 0, True)
    line = answers.status_line(answers.status([folder], Roots()))
    assert line.endswith("shop: ready, 5 of 5 files, 9 chunks")
    assert "no folder is open" in answers.status_line(answers.status([], Roots()))


def test_selection_and_highlights_are_in_the_clients_units() -> None:
    line = "\U0001d4b3 = needle"
    snippet = Snippet(f"before\n{line}", 3, False, (Highlight(1, 4, 10),))
    found = sample_hit(selection=Selection(4, 4, 10, line), snippet=snippet, why="same words", weak=True)
    wire = answers.hits([found], Roots(), "utf-16")[0]
    assert wire["selectionRange"] == {
        "start": {"line": 4, "character": 5},
        "end": {"line": 4, "character": 11},
    }
    assert wire["snippet"]["highlights"] == [
        {"start": {"line": 1, "character": 5}, "end": {"line": 1, "character": 11}}
    ]
    assert (wire["why"], wire["weak"]) == ("same words", True)


@given(st.sampled_from(["before\nneedle = 1", "\U0001d4b3\nneedle = 1"]))
def test_highlights_of_ascii_lines_are_the_same_in_every_encoding(text: str) -> None:
    found = sample_hit(snippet=Snippet(text, 3, False, (Highlight(1, 0, 6),)))
    for encoding in get_args(Encoding):
        wire = answers.hits([found], Roots(), encoding)[0]
        assert wire["snippet"]["highlights"] == [
            {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 6}}
        ]
