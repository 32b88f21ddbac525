"""Symbols become an outline that editors accept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from sightline.lsp.document_outline import flat, name_range, nested
from sightline.lsp.positions import LineTable
from sightline.parsed_file import Symbol

TEXT = (
    "class Shop:\n    def open(self):\n        pass\n    def close(self):\n        pass\ndef alone(): pass\n"
)


def _symbol(name: str, start: int, end: int, column: int = 4) -> Symbol:
    return Symbol(name, "function", "", f"def {name}", start, end, start, column, 0)


def test_a_definition_inside_another_is_its_child() -> None:
    symbols = [
        _symbol("close", 3, 4, 8),
        _symbol("alone", 5, 5),
        _symbol("Shop", 0, 4, 6),
        _symbol("open", 1, 2, 8),
    ]
    outline = nested(symbols, LineTable(TEXT), "utf-16")
    assert [entry.name for entry in outline] == ["Shop", "alone"]
    assert [child.name for child in outline[0].children or ()] == ["open", "close"]


def test_the_flat_outline_names_the_container() -> None:
    outline = nested([_symbol("Shop", 0, 4, 6), _symbol("open", 1, 2, 8)], LineTable(TEXT), "utf-16")
    assert [(each.name, each.container_name) for each in flat(outline, "file:///s.py")] == [
        ("Shop", None),
        ("open", "Shop"),
    ]


def test_names_are_measured_in_the_clients_units() -> None:
    symbol = _symbol("naïve", 0, 0, 3)
    found = name_range(symbol, "😋é naïve = 1", "utf-16")
    assert (found.start.character, found.end.character) == (4, 9)
    found = name_range(symbol, "😋é naïve = 1", "utf-8")
    assert (found.start.character, found.end.character) == (7, 13)


def test_an_empty_name_is_replaced_by_a_placeholder() -> None:
    assert nested([_symbol("", 0, 0)], LineTable("x"), "utf-16")[0].name


def _inside(outer: types.Range, inner: types.Range) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


numbers = st.integers(0, 12)


@given(st.lists(st.tuples(numbers, numbers, numbers), max_size=12), st.text("ab\n", max_size=20))
def test_selections_and_children_are_always_inside_their_parent(
    places: list[tuple[int, int, int]], text: str
) -> None:
    symbols = [_symbol("n", start, start + length, column) for start, length, column in places]
    waiting = nested(symbols, LineTable(text), "utf-16")
    count = 0
    while waiting:
        entry = waiting.pop()
        count += 1
        assert _inside(entry.range, entry.selection_range)
        assert all(_inside(entry.range, child.range) for child in entry.children or ())
        waiting.extend(entry.children or ())
    assert count == len(symbols)
