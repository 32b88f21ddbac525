"""Checks whether a tag may be released.

python -m tests.release.version TAG
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from sightline import __version__

_TOP = Path(__file__).parents[2]
CHANGELOGS = (_TOP / "CHANGELOG.md", _TOP / "editors" / "vscode" / "CHANGELOG.md")
_PLACEHOLDER = "example.org"


def headings(page: Path) -> list[tuple[str, str]]:
    """The versions of a changelog, newest first, with their dates."""
    return re.findall(r"^## (\d[^ \n]*)(?: \S (.*))?$", page.read_text(encoding="utf-8"), re.MULTILINE)


def obstacles(tag: str) -> Iterator[str]:
    """The reasons why a tag cannot be released."""
    if tag != f"v{__version__}":
        yield f"The tag is {tag}, the version {__version__}."
    for page in CHANGELOGS:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", dict(headings(page)).get(__version__, "")):
            yield f"{page.relative_to(_TOP)} has no dated heading for {__version__}."
    if _PLACEHOLDER in (_TOP / "pyproject.toml").read_text(encoding="utf-8"):
        yield "pyproject.toml does not name the address of the repository."


def main() -> int:
    """Print the reasons why the tag cannot be released."""
    found = list(obstacles(sys.argv[1]))
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
