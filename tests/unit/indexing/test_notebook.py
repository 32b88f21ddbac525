"""Notebooks: cells are split as code and prose, and every line number is that of the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.indexing.content import Content, read
from sightline.indexing.discovery.discover import scan
from sightline.indexing.discovery.skips import Skipped
from sightline.indexing.parsing.notebook import read_notebook
from sightline.indexing.parsing.parse_file import parse_file
from sightline.languages import LANGUAGES
from sightline.parsed_file import ParsedFile
from sightline.settings.tree import IndexingSettings
from tests.files import write_files
from tests.notebooks import CELLS, notebook

JUPYTER = LANGUAGES["jupyter"]


def _parsed(text: str) -> ParsedFile:
    return parse_file(text, JUPYTER)


def _cell_lines(text: str) -> list[set[int]]:
    """The lines of the file that hold each cell's source."""
    found = read_notebook(text)
    assert found is not None
    return [{line.line for line in cell.lines} for cell in found.cells]


def test_code_and_prose_are_split_by_cell_without_outputs() -> None:
    parsed = _parsed(notebook())
    assert parsed.status == "ok"
    assert [(chunk.kind, chunk.symbol) for chunk in parsed.chunks][:4] == [
        ("section", "Weather"),
        ("block", ""),
        ("section", "Load the measurements"),
        ("function", "load_measurements"),
    ]
    assert not any("iVBOR" in chunk.text for chunk in parsed.chunks)
    assert [symbol.name for symbol in parsed.symbols] == [
        "Weather",
        "Load the measurements",
        "load_measurements",
        "frame",
    ]


def test_code_without_a_name_is_named_after_the_heading_above() -> None:
    first = next(chunk for chunk in _parsed(notebook()).chunks if "import pandas" in chunk.text)
    assert first.container == "Weather"


@pytest.mark.parametrize("indent", [1, 2, None])
@pytest.mark.parametrize("lists", [True, False])
def test_symbols_have_their_position_in_the_file(indent: int | None, lists: bool) -> None:
    text = notebook(indent=indent, lists=lists)
    lines = text.split("\n")
    for symbol in _parsed(text).symbols:
        assert lines[symbol.name_line][symbol.name_column :].startswith(symbol.name)
        assert symbol.start_line <= symbol.name_line <= symbol.end_line


@pytest.mark.parametrize("indent", [1, None])
@pytest.mark.parametrize("lists", [True, False])
def test_readable_lines_have_the_text_and_map_back_to_the_file(indent: int | None, lists: bool) -> None:
    text = notebook(indent=indent, lists=lists)
    found = read_notebook(text)
    assert found is not None
    readable, lines = found.readable_lines(), text.split("\n")
    assert len(readable) == len(lines)
    line = next(at for at, shown in enumerate(readable) if "groupby" in shown)
    column = found.file_column(text, line, readable[line].index("groupby"))
    assert lines[line][column:].startswith("groupby")
    assert found.cell_at(line, column) == 5
    assert not any("iVBOR" in shown for shown in readable)


def test_the_kernel_and_the_cell_determine_the_language() -> None:
    code = [("code", "function f(x)\n  x + 1\nend"), ("code", "%%javascript\nfunction g() { return 1; }")]
    parsed = _parsed(notebook(code, language="julia"))
    assert [(symbol.name, symbol.kind) for symbol in parsed.symbols] == [("f", "function"), ("g", "function")]


def test_a_notebook_of_format_3_is_parsed() -> None:
    cells = [
        {"cell_type": "heading", "level": 1, "source": ["Old"]},
        {"cell_type": "code", "language": "python", "input": ["def old():\n", "    return 1"], "outputs": []},
    ]
    text = json.dumps({"metadata": {"name": ""}, "nbformat": 3, "worksheets": [{"cells": cells}]}, indent=1)
    parsed = _parsed(text)
    assert [symbol.name for symbol in parsed.symbols] == ["old"]
    assert "Old" in parsed.chunks[0].text


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "{}", '{"cells": 3}', '{"cells": [3]}', '{"cells": [{"source": 3}]}',
        '{"cells": [{"source": ["a\n"]}]}', notebook()[:-40], notebook() + "x", '{"cells": [' + "[" * 100_000,
        '{"cells": [{"source": {"a": [] } }]}', '{"metadata": {}, "nbformat": 4}',
    ],
)  # fmt: skip
def test_a_file_that_is_not_a_notebook_is_split_by_lines(text: str) -> None:
    parsed = _parsed(text)
    assert parsed.status == "error"
    assert "".join(chunk.text for chunk in parsed.chunks) == text


def test_only_the_beginning_of_a_large_broken_notebook_is_split() -> None:
    parsed = _parsed("x\n" * (1 << 20))
    assert sum(len(chunk.text) for chunk in parsed.chunks) == 1 << 20


def test_a_notebook_may_be_larger_than_other_files(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.ipynb": notebook(), "b.json": notebook()})
    limit = len(notebook()) // 2
    assert isinstance(read(tmp_path, "a.ipynb", limit), Content)
    assert isinstance(read(tmp_path, "b.json", limit), Skipped)
    assert isinstance(read(tmp_path, "a.ipynb", len(notebook()) // 20), Skipped)
    found = scan(tmp_path, IndexingSettings(max_file_bytes=limit))
    assert {each.path for each in found if not isinstance(each, Skipped)} == {"a.ipynb"}


_TEXT = st.text(alphabet='ab"\\\n\t\r\u2028é😋{}[],:#%!', max_size=40)
_CELLS = st.lists(st.tuples(st.sampled_from(["code", "markdown", "raw"]), _TEXT), max_size=5)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(_CELLS, st.sampled_from([None, 1]), st.booleans(), st.booleans())
def test_every_chunk_lies_in_the_lines_of_one_cell(
    cells: list[tuple[str, str]], indent: int | None, lists: bool, ascii_only: bool
) -> None:
    text = notebook(cells, indent=indent, lists=lists)
    if ascii_only:
        text = json.dumps(json.loads(text), indent=indent)
    found = read_notebook(text)
    assert found is not None
    for cell, (kind, source) in zip(found.cells, cells, strict=True):
        assert (cell.kind, cell.text) == (kind, "\n".join(_lines(source)))
    parsed, places = _parsed(text), _cell_lines(text)
    for chunk in parsed.chunks:
        assert any({chunk.start_line, chunk.end_line} <= lines for lines in places)
    file_lines = text.split("\n")
    for symbol in parsed.symbols:
        assert 0 <= symbol.name_column <= len(file_lines[symbol.name_line])
        assert any({symbol.start_line, symbol.name_line, symbol.end_line} <= lines for lines in places)


def _lines(source: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in source.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def test_every_cell_of_the_sample_has_a_chunk() -> None:
    found = read_notebook(notebook())
    assert found is not None
    assert [(cell.kind, cell.text) for cell in found.cells] == list(CELLS)
