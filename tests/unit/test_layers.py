"""The layers of the package: imports point down only, and heavy libraries are imported in one place each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline

_PACKAGE = Path(sightline.__file__).parent
# From bottom to top; packages on one line do not import each other. docs/architecture.md draws it.
_LAYERS = (
    {
        "errors",
        "arrays",
        "parsed_file",
        "passage",
        "interpreter",
        "visible",
        "platforms",
        "names",
        "wordlist",
        "file_identity",
        "words",
    },
    {"identifier_ids"},
    {"types", "confined", "processes"},
    {"file_roles"},
    {"settings", "languages", "embedding", "stores", "requests"},
    {"relations", "location"},
    {"indexing"},
    {"history"},
    {"search", "sources"},
    {"search_scope"},
    {"folder"},
    {"folder_answers"},
    {"workspace"},
    {"agents"},
    {"lsp", "mcp"},
    {"commands"},
    {"cli"},
    {"__main__", "__init__"},
)
_LEVEL = {package: level for level, packages in enumerate(_LAYERS) for package in packages}
_ONLY_IN = {
    "pygls": "lsp/",
    "lsprotocol": "lsp/",
    "chromadb": "stores/vectors/chroma_process.py",
    "fastembed": "embedding/",
    "mcp": "mcp/",
}


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _files() -> list[Path]:
    return sorted(_PACKAGE.rglob("*.py"))


def _package_of(name: str) -> str:
    return name.split(".")[1]


def test_imports_point_down() -> None:
    wrong = []
    for file in _files():
        path = file.relative_to(_PACKAGE)
        own = path.parts[0].removesuffix(".py")
        packages = {_package_of(name) for name in _imports(file) if name.startswith("sightline.")} - {
            own,
            "__version__",
        }
        wrong += [f"{path} imports {package}" for package in packages if _LEVEL[package] >= _LEVEL[own]]
    assert wrong == []


@pytest.mark.parametrize("library", _ONLY_IN)
def test_a_heavy_library_is_imported_in_one_place(library: str) -> None:
    users = {
        file.relative_to(_PACKAGE).as_posix()
        for file in _files()
        if any(name.split(".")[0] == library for name in _imports(file))
    }
    assert {user for user in users if not user.startswith(_ONLY_IN[library])} == set()


def test_no_module_name_is_used_twice() -> None:
    names = [file.name for file in _files() if file.name not in ("__init__.py", "__main__.py")]
    assert {name for name in names if names.count(name) > 1} == set()


def test_no_class_name_is_used_twice() -> None:
    names = [
        node.name
        for file in _files()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert {name for name in names if names.count(name) > 1} == set()
