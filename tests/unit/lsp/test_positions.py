"""Columns survive the round trip to the client, in every encoding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.lsp.positions import Encoding, LineTable, from_client, to_client, units
from sightline.words import lines_of

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
text = st.text(st.characters(codec="utf-8"))
encodings = st.sampled_from(ENCODINGS)


@given(text, encodings, st.data())
def test_a_column_survives_the_round_trip(line: str, encoding: Encoding, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, len(line)))
    assert from_client(line, to_client(line, column, encoding), encoding) == column


@given(text)
def test_units_are_the_length_of_the_encoded_text(line: str) -> None:
    assert units(line, "utf-8") == len(line.encode("utf-8"))
    assert units(line, "utf-16") == len(line.encode("utf-16-le")) // 2
    assert units(line, "utf-32") == len(line)


@given(text, encodings, st.integers(0, 10_000))
def test_any_client_column_is_mapped_inside_the_line(line: str, encoding: Encoding, character: int) -> None:
    assert 0 <= from_client(line, character, encoding) <= len(line)


def test_a_column_inside_a_character_moves_to_its_start() -> None:
    assert from_client("a😋b", 2, "utf-16") == 1
    assert from_client("aéb", 2, "utf-8") == 1


@given(text)
def test_lines_and_positions_agree_with_the_text(content: str) -> None:
    table = LineTable(content)
    lines = lines_of(content)
    assert len(table) == len(lines)
    assert [table.line(number) for number in range(len(table))] == lines


@given(text, st.data())
def test_an_offset_survives_the_round_trip_unless_inside_a_line_end(
    content: str, data: st.DataObject
) -> None:
    table = LineTable(content)
    offset = data.draw(st.integers(0, len(content)))
    # In "\r\n", the line ends before the first of the two.
    inside = content[offset - 1 : offset + 1] == "\r\n" if offset else False
    before = lines_of(content[: offset - 1 if inside else offset])
    back = table.offset(len(before) - 1, len(before[-1]), "utf-32")
    assert back == offset - inside


@pytest.mark.parametrize("control", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_only_the_protocols_line_ends_separate_lines(control: str) -> None:
    assert lines_of(f"a{control}b") == [f"a{control}b"]


def test_a_missing_line_is_empty() -> None:
    assert LineTable("a\nb").line(7) == ""
    assert LineTable("a\nb").offset(7, 3, "utf-16") == 3
