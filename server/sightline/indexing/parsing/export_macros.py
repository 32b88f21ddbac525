"""Macros between `class` and the name of a C++ class, which the grammar takes for the name."""

from __future__ import annotations

import re

# Only capitals that look like a macro for visibility: `struct POINT origin{}` declares a variable.
_MACRO = re.compile(
    rb"(\b(?:class|struct)\s+)([A-Z][A-Z0-9]*_[A-Z0-9_]*|[A-Z0-9]*(?:API|EXPORT(?:S|ED)?|PUBLIC|VISIBLE))"
    rb"(\s*\([^()\n]*\))?(?=\s+[A-Za-z_][\w:]*(?:<[^<>{};]*>)?\s*(?:final\s*)?(?:\{|:[^:]))"
)


def blank_export_macros(source: bytes) -> bytes:
    """The text with such macros replaced by spaces, so that everything else keeps its place."""
    return _MACRO.sub(lambda found: found.group(1) + b" " * (found.end() - found.end(1)), source)
