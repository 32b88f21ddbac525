"""Makes text from files safe to show: control and direction characters become visible escapes."""

from __future__ import annotations

import json
import re

# Control characters, marks that change the direction of text or are invisible, line separators, surrogates.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, keep: str = "") -> str:
    """The text with every character escaped that would affect a terminal, except those in `keep`."""
    return _UNSAFE.sub(lambda match: match[0] if match[0] in keep else _escape(match[0]), text)


def quoted(path: str) -> str:
    """A path on one line: as it is, or in quotes with unusual characters escaped."""
    if not _UNSAFE.search(path):
        return path
    return '"' + visible(path.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def unlinked(text: str) -> str:
    """A message without links: VS Code turns `[a](b)` into a link, which may run commands."""
    return visible(text).replace("](", "] (")


def visible_json(text: str) -> str:
    """Equivalent JSON text, with characters that would affect a terminal escaped in JSON syntax."""
    # Line feeds are part of the layout: in a string they are already escaped.
    return _UNSAFE.sub(lambda match: match[0] if match[0] == "\n" else json.dumps(match[0])[1:-1], text)


def _escape(char: str) -> str:
    code = ord(char)
    return _SHORT.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}")
