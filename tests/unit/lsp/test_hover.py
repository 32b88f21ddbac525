"""A hover is readable and no name in the code can break its Markdown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sightline.lsp.features.hover import markdown, plain
from sightline.requests.uris import Roots, from_path
from sightline.types import Hit, SymbolInfo
from tests.unit.sample_hits import sample_hit

SYMBOL = SymbolInfo("open", "method", "Shop", "def open(self) -> None")


def _hit(folder: Path, name: str = "close_shop", reason: str = "called by") -> Hit:
    symbol = SymbolInfo(name, "function", "", "")
    return sample_hit(folder=str(folder), path="src/a b.py", start_line=11, symbol=symbol, reason=reason)


def test_the_links_open_the_line(tmp_path: Path) -> None:
    roots = Roots()
    root = roots.add(from_path(str(tmp_path)))
    assert root is not None
    text = markdown(SYMBOL, [_hit(root)], roots)
    assert text.splitlines()[0] == "**method** `Shop.open`"
    assert "```\ndef open(self) -> None\n```" in text
    assert f"- called by: [`close_shop`]({from_path(str(tmp_path))}/src/a%20b.py#L12) `src/a b.py:12`" in text


def test_plain_text_has_the_same_information(tmp_path: Path) -> None:
    assert plain(SYMBOL, [_hit(tmp_path)]) == (
        "method Shop.open\ndef open(self) -> None\ncalled by: src/a b.py:12"
    )


def test_backticks_and_brackets_in_names_do_not_break_the_markdown(tmp_path: Path) -> None:
    symbol = SymbolInfo("a`b", "function", "", "x = '```'")
    text = markdown(symbol, [_hit(tmp_path, name="](http://evil)")], Roots())
    assert "``a`b``" in text
    assert "````\nx = '```'\n````" in text
    # A code span binds tighter than a link, so the bracket inside closes nothing.
    assert "[`](http://evil)`](" in text


@pytest.mark.parametrize("ticks", range(6))
def test_no_number_of_backticks_breaks_the_markdown(tmp_path: Path, ticks: int) -> None:
    memory = "![x](https://evil.example/track.png)[Fix](command:workbench.action.terminal.new)"
    evil = "`" * ticks + memory + "`" * ticks
    text = markdown(SymbolInfo(evil, "section", "", evil), [_hit(tmp_path, name=evil)], Roots())
    longest = max(map(len, re.findall("`+", evil)), default=0)
    around = [len(run) for run in re.findall("(`+) ?" + re.escape(evil) + " ?\\1", text)]
    assert len(around) == 2
    assert all(length > longest for length in around)


def test_newlines_and_control_characters_in_names_stay_on_the_line() -> None:
    symbol = SymbolInfo("a\n\n![x](https://evil.example)", "section", "", "")
    for text in (markdown(symbol, [], Roots()), plain(symbol, [])):
        assert len(text.splitlines()) == 1
    assert "\x1b" not in markdown(SymbolInfo("a\x1b[2J", "section", "", "b\x1b[2J"), [], Roots())
