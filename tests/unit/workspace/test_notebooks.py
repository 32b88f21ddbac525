"""Notebooks in an index: found as code and prose, opened at the cell, and queried like other files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.location import CACHE_VARIABLE
from sightline.types import Hit, SearchRequest
from sightline.workspace import Workspace
from tests.files import write_files
from tests.notebooks import notebook

_FILES = {
    "weather.ipynb": notebook(),
    "broken.ipynb": '{"cells": [',
    "util.py": "def unrelated():\n    return 1\n",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("notebooks")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(folder / "cache"))
        opened = Workspace()
        opened.add_folder(write_files(folder / "project", _FILES))
        assert opened.wait_idle(60)
        yield opened
        opened.close()


def _root(workspace: Workspace) -> Path:
    return workspace.folders[0].root


def _first(workspace: Workspace, query: str) -> Hit:
    return workspace.search(SearchRequest(query)).hits[0]


@pytest.mark.parametrize(
    ("query", "cell", "landing"),
    [
        ("read the raw table of temperatures", 3, "load_measurements"),
        ("how warm it was in each month", 0, "Weather"),
        ('"groupby("', 5, "groupby("),
        (r'"frame.groupby(\"month\")"', 5, r"frame.groupby(\"month\")"),
        ('re:/sep="\\\\t"/', 3, r"sep=\"\\t\""),
    ],
)
def test_a_cell_is_found_and_selected(workspace: Workspace, query: str, cell: int, landing: str) -> None:
    hit = _first(workspace, query)
    assert (hit.path, hit.language, hit.cell) == ("weather.ipynb", "jupyter", cell)
    assert hit.selection is not None
    line = _FILES["weather.ipynb"].split("\n")[hit.selection.line]
    assert hit.selection.text == line
    assert line[hit.selection.start : hit.selection.end] == landing
    assert hit.start_line <= hit.selection.line <= hit.end_line


def test_the_snippet_is_the_source_of_the_cell(workspace: Workspace) -> None:
    hit = _first(workspace, "load_measurements")
    assert hit.snippet.text.split("\n") == [
        "def load_measurements(path):",
        '    """Read the \\"raw\\" table of temperatures."""',
        '    return pd.read_csv(path, sep="\\t")',
    ]
    assert hit.snippet.start_line == hit.start_line


def test_outputs_are_not_found(workspace: Workspace) -> None:
    assert not workspace.search(SearchRequest('"iVBORw0KGgo"')).hits


def test_symbols_and_outline_have_positions_in_the_file(workspace: Workspace) -> None:
    lines = _FILES["weather.ipynb"].split("\n")
    (found,) = [hit for hit in workspace.symbols("load_measurements") if hit.path == "weather.ipynb"]
    assert lines[found.symbol.name_line][found.symbol.name_column :].startswith("load_measurements")
    outline = workspace.document_symbols(_root(workspace) / "weather.ipynb")
    assert "load_measurements" in [symbol.name for symbol in outline]
    assert workspace.document_symbols(_root(workspace) / "broken.ipynb") == []


def test_related_code_and_descriptions_work_in_notebooks(workspace: Workspace) -> None:
    path, lines = _root(workspace) / "weather.ipynb", _FILES["weather.ipynb"].split("\n")
    for line, text in enumerate(lines):
        column = max(0, text.find("load_measurements"))
        for hit in workspace.related(path, line, column):
            assert hit.path in _FILES
        workspace.describe(path, line, column)
    line = next(at for at, text in enumerate(lines) if "def load_measurements" in text)
    described = workspace.describe(path, line, lines[line].index("load_measurements"))
    assert described is not None
    assert described.name == "load_measurements"


def test_the_current_text_of_an_unsaved_notebook_is_searched(workspace: Workspace) -> None:
    path = _root(workspace) / "weather.ipynb"
    text = "\n\n" + _FILES["weather.ipynb"].replace("groupby", "resample")
    (hit,) = workspace.search(SearchRequest('"resample("'), overlays={path: text}).hits
    assert hit.cell == 5
    assert hit.selection is not None
    assert "resample(" in text.split("\n")[hit.selection.line]


def test_a_broken_notebook_is_indexed_as_text(workspace: Workspace) -> None:
    hits = workspace.search(SearchRequest('"cells" path:broken.ipynb')).hits
    assert [(hit.path, hit.cell) for hit in hits] == [("broken.ipynb", None)]
