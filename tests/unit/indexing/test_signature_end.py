"""Where the line that introduces a definition ends."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from sightline.indexing.parsing.nesting import signature_end


def _end_by_counting(source: bytes) -> int:
    depth = 0
    for at, sign in enumerate(source):
        if chr(sign) in "([":
            depth += 1
        elif chr(sign) in ")]":
            depth -= 1
        elif chr(sign) in "{};\n" and (depth <= 0 or chr(sign) == "{"):
            return at
    return len(source)


@given(st.text("a ()[]{}\n;"))
@example("(a: (b) -> c) {")
@example("(a,\n b): c {")
@example("(a]\n {")
@example("a)\n(")
def test_it_ends_at_a_body_or_a_line_end_outside_of_brackets(text: str) -> None:
    source = text.encode()
    assert signature_end(source, 0, len(source)) == _end_by_counting(source)
