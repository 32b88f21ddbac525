"""The list of definitions a symbol picker shows."""

from __future__ import annotations

from sightline.indexing.parsing.parse_file import parse_file
from sightline.languages import LANGUAGES
from sightline.parsed_file import Symbol


def symbols(text: str, language: str = "python") -> tuple[Symbol, ...]:
    return parse_file(text, LANGUAGES[language]).symbols


def test_columns_count_characters_not_bytes() -> None:
    (symbol,) = symbols("/* é😀 */ function target() {}\n", "javascript")
    assert (symbol.name_line, symbol.name_column) == (0, 18)


def test_the_range_of_a_symbol_starts_at_its_comment() -> None:
    (symbol,) = symbols("# Why.\ndef f():\n    return 1\n")
    assert (symbol.start_line, symbol.name_line, symbol.end_line) == (0, 1, 2)


def test_local_variables_are_not_symbols() -> None:
    assert [
        symbol.name for symbol in symbols("def f():\n    local = 1\n    return local\n\n\nouter = 2\n")
    ] == [
        "f",
        "outer",
    ]


def test_the_clauses_of_one_function_are_one_symbol() -> None:
    text = "defmodule A do\n  def f(1), do: 1\n  def f(2), do: 2\n  def g(1), do: 1\nend\n"
    assert [(symbol.name, symbol.end_line) for symbol in symbols(text, "elixir")] == [
        ("A", 4),
        ("f", 2),
        ("g", 3),
    ]


def test_each_overload_is_a_symbol() -> None:
    text = "class A {\n  void f(int a) {}\n  void f(String a) {}\n}\n"
    assert [symbol.signature for symbol in symbols(text, "java")[1:]] == ["void f(int a)", "void f(String a)"]


def test_a_method_defined_outside_its_class_has_the_class_as_container() -> None:
    (method,) = symbols("int Queue<T>::size() const { return 1; }\n", "cpp")
    assert (method.name, method.container, method.kind) == ("size", "Queue", "method")
    (method,) = symbols("package a\nfunc (q *Queue[T]) Len() int { return 1 }\n", "go")
    assert (method.name, method.container, method.kind) == ("Len", "Queue", "method")


def test_an_exported_definition_is_listed_once() -> None:
    (symbol,) = symbols("export default async function* walk() {}\n", "typescript")
    assert (symbol.name, symbol.signature) == ("walk", "export default async function* walk()")


def test_several_names_of_one_statement_are_siblings() -> None:
    found = symbols("const a = 1, b = 2;\n", "javascript")
    assert [(symbol.name, symbol.container) for symbol in found] == [("a", ""), ("b", "")]


def test_every_symbol_of_a_shared_chunk_points_at_it() -> None:
    text = "".join(f"def f{number}(): return {number}\n\n\n" for number in range(5))
    assert {symbol.chunk for symbol in symbols(text)} == {0}


def test_a_signature_is_one_line_of_bounded_length() -> None:
    arguments = ",\n    ".join(f"argument_{number}: int" for number in range(40))
    (symbol,) = symbols(f"def f(\n    {arguments},\n) -> int:\n    return 1\n")
    assert symbol.signature.startswith("def f( argument_0: int, argument_1: int")
    assert len(symbol.signature) == 200
