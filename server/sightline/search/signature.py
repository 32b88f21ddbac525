"""How a signature is shown."""

from __future__ import annotations

import re

# The spaces that remain of the line ends inside brackets, and the comma after the last parameter.
_BRACKET_SPACE = re.compile(r"(?<=[(\[]) |,? (?=[)\]])")


def on_one_line(signature: str) -> str:
    """A signature that was written over several lines, as it would be written on one."""
    return _BRACKET_SPACE.sub("", signature)
