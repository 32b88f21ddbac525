"""Lines, columns and ranges of a file's bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sightline.indexing.parsing.source_text import Text

_TEXTS = st.text("ab \n\r\tß→") | st.text("ab \n")


@given(_TEXTS, st.data())
def test_every_character_has_the_line_and_column_that_counting_gives(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    source = Text.of(text.encode())
    offset = len(text[:at].encode())
    line = source.line(offset)
    assert line == text.count("\n", 0, at)
    assert source.column(line, offset) == at - (text.rfind("\n", 0, at) + 1)


@given(_TEXTS, st.data())
def test_a_range_of_bytes_is_decoded(text: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    first, last = len(text[:start].encode()), len(text[:end].encode())
    assert Text.of(text.encode()).decoded(first, last) == text[start:end]
