"""Prints lua/sightline/vocabulary.lua: the languages and kinds of definitions that the server knows."""

import textwrap

from sightline.languages import LANGUAGES
from sightline.search.query.parse_query import KINDS

_WIDTH = 110


def vocabulary() -> str:
    """The file as it should be."""
    lines = ["--- The values of lang: and kind:; written by generate.py.", "-- stylua: ignore", "return {"]
    for name, values in (("languages", LANGUAGES), ("kinds", KINDS)):
        quoted = ", ".join(f"'{value}'" for value in sorted(values)) + ","
        lines += [f"  {name} = {{", textwrap.indent(textwrap.fill(quoted, _WIDTH), " " * 4), "  },"]
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    print(vocabulary(), end="")
