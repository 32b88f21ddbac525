"""The symbol table finds symbols by name after any additions and removals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.parsed_file import Symbol
from sightline.stores.memory.interner import Interner
from sightline.stores.memory.symbol_table import SymbolTable

_NAMES = ("", "run", "Run", "RUN", "load", "İ", "ß")
_FILES = st.dictionaries(st.integers(0, 4), st.lists(st.sampled_from(_NAMES), max_size=4), max_size=5)
_EDITS = st.lists(st.tuples(st.integers(0, 4), st.none() | st.lists(st.sampled_from(_NAMES), max_size=3)))


def _symbols(names: Sequence[str]) -> list[Symbol]:
    return [Symbol(name, "function", "", "", line, line, line, 0, 0) for line, name in enumerate(names)]


def _filled(files: dict[int, list[str]]) -> SymbolTable:
    names = Interner()
    table = SymbolTable(names)
    rows = [(name, file, line) for file in sorted(files) for line, name in enumerate(files[file])]
    lines = np.array([line for _, _, line in rows], np.int64)
    table.fill(
        {
            "name": names.codes([name for name, _, _ in rows]),
            "kind": names.codes(["function"] * len(rows)),
            "container": names.codes([""] * len(rows)),
            "file": np.array([file for _, file, _ in rows], np.int64),
            "slot": np.full(len(rows), 10, np.int64),
            "start_line": lines,
            "end_line": lines,
            "name_line": lines,
            "name_column": np.zeros(len(rows), np.int64),
        }
    )
    return table


def _content(table: SymbolTable) -> dict[str, list[tuple[int, str, str, int, int]]]:
    """What the table finds, by lower-cased name."""
    columns = table.columns
    return {
        name.lower(): [
            (
                int(columns["file"][row]),
                table.name(row),
                table.kind(row),
                int(columns["slot"][row]),
                int(columns["start_line"][row]),
            )
            for row in table.named(name)
        ]
        for name in _NAMES
    }


@given(_FILES, _EDITS)
def test_names_are_found_after_any_edits(
    files: dict[int, list[str]], edits: list[tuple[int, list[str] | None]]
) -> None:
    at_once, one_by_one = _filled(files), SymbolTable(Interner())
    for file in sorted(files):
        one_by_one.replace([(file, _symbols(files[file]), [10])])
    for file, names in edits:
        for table in (at_once, one_by_one):
            table.remove(file) if names is None else table.replace([(file, _symbols(names), [10])])
        files = {other: kept for other, kept in files.items() if other != file}
        files |= {} if names is None else {file: names}
    assert _content(at_once) == _content(one_by_one)
    for name in _NAMES:
        found = [(file, spelled) for file, spelled, *_ in _content(at_once)[name.lower()]]
        expected = [(f, n) for f, names in files.items() for n in names if n.lower() == name.lower()]
        assert sorted(found) == sorted(expected)
    assert at_once.live == one_by_one.live == sum(map(len, files.values()))
    assert len(at_once.alive()) == at_once.live
    assert {file: len(at_once.of_file(file)) for file in files} == {f: len(n) for f, n in files.items()}


@given(_FILES, _EDITS)
def test_spans_are_those_of_the_current_symbols(
    files: dict[int, list[str]], edits: list[tuple[int, list[str] | None]]
) -> None:
    names = Interner()
    codes, table = {name: names.code(name) for name in _NAMES}, SymbolTable(names)
    for file, edited in [*files.items(), *edits]:
        table.remove(file) if edited is None else table.replace([(file, _symbols(edited), [10])])
        rows = table.of_file(file)
        for name, code in codes.items():
            spans = [(row, *table.span(row)) for row in rows if table.name(row) == name]
            assert table.spans_named(file, code) == spans


@given(st.lists(st.lists(st.sampled_from(_NAMES))))
def test_names_added_in_batches_get_the_same_numbers_as_one_by_one(batches: list[list[str]]) -> None:
    together, alone = Interner(), Interner()
    for batch in batches:
        assert together.codes(batch).tolist() == [alone.code(name) for name in batch]
    assert len(together) == len(alone)
    assert list(together.since(0)) == [alone[code] for code in range(len(alone))]
