"""Shows what files say without letting it act: control and direction characters become visible escapes."""

from __future__ import annotations

import json
import re

# Control characters, marks that turn the direction of text or hide in it, line separators, half characters.
_ACTING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, keep: str = "") -> str:
    """The text with every character that would act on a terminal escaped, but for those to keep."""
    return _ACTING.sub(lambda match: match[0] if match[0] in keep else _escape(match[0]), text)


def quoted(path: str) -> str:
    """A path on one line: as it is, or in quotes with its odd characters escaped."""
    if not _ACTING.search(path):
        return path
    return '"' + visible(path.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def unlinked(text: str) -> str:
    """A message for an editor's user: VS Code makes links, which may run commands, of `[a](b)`."""
    return visible(text).replace("](", "] (")


def visible_json(text: str) -> str:
    """Written JSON that says the same, with what would act on a terminal escaped as JSON has it."""
    # Line feeds are of the layout: in a string they are escaped already.
    return _ACTING.sub(lambda match: match[0] if match[0] == "\n" else json.dumps(match[0])[1:-1], text)


def _escape(char: str) -> str:
    code = ord(char)
    return _SHORT.get(char) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}")
