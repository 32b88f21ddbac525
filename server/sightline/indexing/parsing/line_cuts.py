"""Cuts text at line ends, for text without a grammar."""

from __future__ import annotations

import re

# Where a line longer than a chunk may be cut: after a space or a closing bracket or the like, if one is near.
_SOFT = re.compile(rb"[\s;,})\]>]")


def line_cuts(source: bytes, start: int, end: int, target: int) -> list[int]:
    """Offsets inside (start, end) that make pieces of about `target` bytes, at line ends where possible."""
    cuts: list[int] = []
    at = start
    while end - at > target:
        at = next_cut(source, at, min(at + target, end))
        cuts.append(at)
    # A last piece of a few bytes is not cut off.
    if cuts and end - cuts[-1] < target // 8 and end - (cuts[-2] if len(cuts) > 1 else start) <= 2 * target:
        cuts.pop()
    return cuts


def next_cut(source: bytes, at: int, limit: int) -> int:
    """Where to cut between two offsets: after an empty line, at a line end, or inside a long line."""
    blank = source.rfind(b"\n\n", at + (limit - at) // 2, limit)
    newline = blank + 1 if blank >= 0 else source.rfind(b"\n", at + 1, limit)
    if newline > at:
        return newline + 1
    return _cut_in_line(source, at, limit)


def _cut_in_line(source: bytes, at: int, limit: int) -> int:
    for found in reversed(list(_SOFT.finditer(source, max(at + 1, limit - 80), limit))):
        return found.end()
    while limit > at + 1 and source[limit : limit + 1] and source[limit] & 0xC0 == 0x80:
        limit -= 1
    return limit
