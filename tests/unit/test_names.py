"""The product's name is written in one place of the code, so that a release can choose another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import sightline

_PACKAGE = Path(sightline.__file__).parent
# The protocol's prefix, files and variables of projects and users, modules of the package, threads and ids.
_FIXED = re.compile(
    r"sightline\.[a-z*]|/sightlineTool|\$/sightline/|\.sightline\b|\.sightlineignore|SIGHTLINE_[A-Z]|sightline-"
)
# The section of the settings, and the package's logger.
_PREFIX = dict.fromkeys(("lsp/configuration.py", "lsp/session.py", "commands/open_workspace.py"), "sightline")
# Pages about folders of the user, generated as text.
_PAGES = {"names.py", "reference.py"}


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The string constants of a module that are not docstrings."""
    bodies = (node.body for node in ast.walk(tree) if hasattr(node, "body") and isinstance(node.body, list))
    docs = {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def test_the_product_name_comes_from_one_module() -> None:
    stray = []
    for file in sorted(_PACKAGE.rglob("*.py")):
        path = file.relative_to(_PACKAGE).as_posix()
        for line, text in _texts(ast.parse(file.read_text(encoding="utf-8"))):
            left = _FIXED.sub("", text)
            if "sightline" in left.lower() and file.name not in _PAGES and _PREFIX.get(path) != text:
                stray.append(f"{path}:{line}: {text!r}")
    assert not stray, "use sightline.names: " + "; ".join(stray)
