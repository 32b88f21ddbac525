"""The page on security names every package that an installation brings along, and bounds it."""

from __future__ import annotations

import re
from pathlib import Path

_TOP = Path(__file__).parents[2]


def _declared() -> dict[str, str]:
    """The packages that pyproject.toml asks for, and in which versions."""
    block = re.search(r"^dependencies = \[\n(.*?)^\]", (_TOP / "pyproject.toml").read_text(), re.M | re.S)
    assert block is not None
    found = re.findall(r'"([A-Za-z0-9_-]+)([^";]*)', block[1])
    return dict(found)


def test_the_page_lists_the_dependencies_as_they_are_declared() -> None:
    page = (_TOP / "docs" / "security.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| ([a-z0-9-]+) \| `([^`]+)` \|", page, re.M))
    assert listed == _declared()


def test_packages_that_could_change_what_is_promised_here_are_bounded() -> None:
    for name in ("chromadb", "fastembed", "tree-sitter-language-pack"):
        assert "<" in _declared()[name], name
