"""Prints lua/sightline/vocabulary.lua: the languages, kinds and scopes that the server knows."""

import textwrap

from sightline.languages import LANGUAGES
from sightline.search.query.parse_query import KINDS
from sightline.search.query.scopes import SCOPES

_WIDTH = 110


def vocabulary() -> str:
    """The file as it should be."""
    lines = [
        "--- The values of lang:, kind: and in:; written by generate.py.",
        "-- stylua: ignore",
        "return {",
    ]
    for name, values in (("languages", LANGUAGES), ("kinds", KINDS), ("scopes", SCOPES)):
        quoted = ", ".join(f"'{value}'" for value in sorted(values)) + ","
        lines += [f"  {name} = {{", textwrap.indent(textwrap.fill(quoted, _WIDTH), " " * 4), "  },"]
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    print(vocabulary(), end="")
