"""The part of a file shown for a hit: the definition around it, limited in lines and characters."""

from __future__ import annotations

from collections.abc import Callable

from sightline.types import Context, Highlight, Snippet

Span = tuple[int, int]
# Finds what to highlight in a text.
Mark = Callable[[str], tuple[Highlight, ...]]

MAX_LINES = 50
MAX_CHARACTERS = 200


def window(wanted: Span, match: Span) -> Span:
    """At most `MAX_LINES` lines of `wanted`, centred on the match and including its first line."""
    start, end = wanted
    if end - start < MAX_LINES:
        return wanted
    centre = (match[0] + min(match[1], match[0] + MAX_LINES - 1)) // 2
    first = max(start, min(centre - MAX_LINES // 2, end - MAX_LINES + 1))
    return min(first, match[0]), min(first, match[0]) + MAX_LINES - 1


def around(match: Span, enclosing: Span | None, context: Context, last_line: int) -> Span:
    """The lines to show for a match, before the limit is applied."""
    if isinstance(context, tuple):
        before, after = context
        return max(0, match[0] - before), min(last_line, match[1] + after)
    if context == "none" or enclosing is None:
        return match
    return min(enclosing[0], match[0]), max(enclosing[1], match[1])


def _snippet(lines: list[str], span: Span, wanted: Span, mark: Mark) -> Snippet:
    """The text of a span of lines; `truncated` if lines of `wanted` or parts of lines are missing."""
    shown = lines[span[0] : span[1] + 1]
    text, too_long = "\n".join(shown), False
    # A line that is too long makes the text as long.
    if len(text) > MAX_CHARACTERS and max(map(len, shown)) > MAX_CHARACTERS:
        text, too_long = "\n".join([line[:MAX_CHARACTERS] for line in shown]), True
    return Snippet(text, span[0], too_long or span != wanted, mark(text))


def show(
    lines: list[str],
    match: Span,
    enclosing: Span | None,
    context: Context,
    landing: int | None = None,
    mark: Mark = lambda _: (),
) -> tuple[Span, Snippet]:
    """The context range of a match and its marked text; cut around the landing line where it does not fit."""
    last = max(0, len(lines) - 1)
    match = (min(match[0], last), min(match[1], last))
    wanted = around(match, enclosing, context, last)
    centre = match if landing is None else (min(max(landing, wanted[0]), wanted[1]),) * 2
    span = window(wanted, centre)
    return span, _snippet(lines, span, wanted, mark)
