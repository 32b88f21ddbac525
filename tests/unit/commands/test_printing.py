"""How hits are printed for terminals and for programs."""

from __future__ import annotations

import argparse

import pytest

from sightline.commands import console, printing
from sightline.commands import search_commands as searching
from sightline.types import Coverage, Highlight, Hit, SearchResult, Selection, Snippet, SymbolInfo
from tests.unit.sample_hits import sample_hit

_TEXT = "@cached\ndef read(path):\n    # first\n    a = 1\n    b = open(path)\n    c = 3\n    return b.read()"


def _hit(**changes: object) -> Hit:
    snippet = Snippet(_TEXT, 10, False, (Highlight(1, 4, 8), Highlight(4, 13, 17), Highlight(6, 13, 17)))
    selection = Selection(11, 4, 8, "def read(path):")
    symbol = SymbolInfo("read", "function", "files", "def read(path)")
    return sample_hit(
        start_line=10,
        end_line=16,
        snippet=snippet,
        selection=selection,
        symbol=symbol,
        why="defines it",
        **changes,
    )


def test_a_hit_is_shown_at_its_selection_with_matching_lines(capsys: pytest.CaptureFixture[str]) -> None:
    printing.print_hit(_hit())
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "/w/a.py:12  function files.read  0.50  defines it"
    assert [line.split()[0] for line in lines] == ["12", "13", "15", "17"]


def test_a_signature_that_no_shown_line_has_is_printed_above(capsys: pytest.CaptureFixture[str]) -> None:
    symbol = SymbolInfo("read", "function", "", "def read(path) -> str")
    printing.print_hit(sample_hit(symbol=symbol))
    assert capsys.readouterr().out.splitlines()[1] == "    def read(path) -> str"


def test_matches_are_highlighted_where_colours_are_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "coloured", lambda _: True)
    printing.print_hit(_hit())
    assert "def \x1b[1;31mread\x1b[0m(path):" in capsys.readouterr().out


def test_lines_for_editors_have_the_column(capsys: pytest.CaptureFixture[str]) -> None:
    printing.print_vimgrep(_hit())
    assert capsys.readouterr().out == "/w/a.py:12:5:def read(path):\n"


def test_numbers_for_programs_are_one_based() -> None:
    hit = printing.hit_json(_hit())
    assert (hit["line"], hit["column"], hit["start_line"], hit["end_line"]) == (12, 5, 11, 17)
    assert hit["snippet"]["start_line"] == 11
    assert hit["snippet"]["highlights"][0] == {"line": 12, "column": 5, "end_column": 9}


def test_weak_hits_come_below_a_separator_line(capsys: pytest.CaptureFixture[str]) -> None:
    found = SearchResult((_hit(), _hit(weak=True), _hit(weak=True)), 3, 1.0, False, Coverage("ready", 1, 1))
    searching._print_hits(found, argparse.Namespace(vimgrep=False, oneline=False, context=0))
    lines = capsys.readouterr().out.splitlines()
    assert [at for at, line in enumerate(lines) if line == "less likely:"] == [2]
