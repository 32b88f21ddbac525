"""A call on an unknown object only refers to a method that takes its number of arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.relations.arity import Arguments, Parameters, read_arguments, read_parameters
from tests.unit.relations.test_likely_calls import calls_of

_PYTHON = "class Store:\n    def vacuum(self, {}):\n        pass\n"
_CALLS = "def tidy(store):\n    store.vacuum({})\n"
_SCRIPT = "class Store {{\n  vacuum({}) {{}}\n}}\n"
_GO = "package shop\ntype Store struct{{}}\nfunc (s *Store) Vacuum({}) {{}}\n"
_GO_CALL = "package shop\nfunc tidy() {{\n\tfor _, s := range unknown() {{\n\t\ts.Vacuum({})\n\t}}\n}}\n"
_JAVA = "package shop;\nclass Store {{\n  void vacuum({}) {{}}\n}}\n"
_JAVA_CALL = "package shop;\nclass Use {{\n  void tidy() {{\n    unknown().vacuum({});\n  }}\n}}\n"
_RUST = "pub struct Store;\nimpl Store {{\n    pub fn vacuum(&self, {}) {{}}\n}}\n"
_RUST_CALL = "fn tidy() {{\n    unknown().vacuum({});\n}}\n"
_CPP = "class Store {{\n public:\n  void vacuum({}) {{}}\n}};\n"
_CPP_CALL = "void tidy() {{\n  unknown()->vacuum({});\n}}\n"

_LANGUAGES = {
    "python": ("store.py", _PYTHON, "use.py", _CALLS),
    "javascript": ("store.js", _SCRIPT, "use.js", "function tidy(store) {{\n  store.vacuum({})\n}}\n"),
    "typescript": ("store.ts", _SCRIPT, "use.ts", "function tidy(store) {{\n  store.vacuum({})\n}}\n"),
    "go": ("store.go", _GO, "use.go", _GO_CALL),
    "java": ("shop/Store.java", _JAVA, "shop/Use.java", _JAVA_CALL),
    "rust": ("src/store.rs", _RUST, "src/use.rs", _RUST_CALL),
    "cpp": ("store.cc", _CPP, "use.cc", _CPP_CALL),
}


def _fits(folder: Path, language: str, parameters: str, arguments: str) -> bool:
    """Whether a call on an unknown object refers to the only method of its name."""
    path, definition, caller, call = _LANGUAGES[language]
    project = {path: definition.format(parameters), caller: call.format(arguments)}
    return (path, "likely") in calls_of(folder, project, caller)


@pytest.mark.parametrize(
    ("language", "parameters", "arguments"),
    [
        ("python", "", ""),
        ("python", "a, b", "1, 2"),
        ("python", "a, b=2", "1"),
        ("python", "a, b", "1, b=2"),
        ("python", "a, *rest", "1, 2, 3"),
        ("python", "a, **named", "1, b=2, c=3"),
        ("python", "a: int, *, deep: bool", "1, deep=True"),
        ("python", "a, /, b", "1, 2"),
        ("python", "a, b", "*both"),
        ("python", "a, b", "**both"),
        ("python", "a", "each for each in many"),
        ("python", "a", "\n        1,  # why\n    "),
        ("javascript", "a, b", "1"),
        ("javascript", "a, ...rest", "1, 2, 3"),
        ("javascript", "{ a, b }", "{}"),
        ("typescript", "a: A, b?: B", "1"),
        ("typescript", "a: A, b = 2", "1"),
        ("typescript", "this: Store, a: A", "1"),
        ("typescript", "a: A, ...rest: A[]", "1, 2, 3"),
        ("typescript", "a: A, b: B", "...both"),
        ("go", "a, b int", "1, 2"),
        ("go", "int, string", '1, "2"'),
        ("go", "a int, rest ...int", "1, 2, 3"),
        ("go", "a, b int", "both()"),
        ("go", "a int, rest ...int", "1, all..."),
        ("java", "int a, String b", '1, "2"'),
        ("java", "int a, String... b", "1"),
        ("java", "Store this, int a", "1"),
        ("rust", "a: u8, b: u8", "1, 2"),
        ("cpp", "int a, int b = 2", "1"),
        ("cpp", "void", ""),
        ("cpp", "const char* format, ...", "a, b, c"),
    ],
)
def test_a_method_that_takes_the_arguments_is_likely(
    tmp_path: Path, language: str, parameters: str, arguments: str
) -> None:
    assert _fits(tmp_path, language, parameters, arguments)


@pytest.mark.parametrize(
    ("language", "parameters", "arguments"),
    [
        ("python", "", "1"),
        ("python", "a", "1, 2, 3"),
        ("python", "a, b", "1"),
        ("python", "a", "1, b=2"),
        ("python", "a, *, deep", "1"),
        ("python", "a, *, deep", "1, 2"),
        ("python", "a", "1, 2, *more"),
        ("javascript", "a", "1, 2"),
        ("typescript", "a: A, b: B", "1"),
        ("typescript", "a: A", "1, 2"),
        ("go", "a, b int", "1"),
        ("go", "a int", "1, 2"),
        ("java", "int a", ""),
        ("java", "int a, String... b", ""),
        ("rust", "a: u8", ""),
        ("rust", "a: u8", "1, 2"),
        ("cpp", "int a, int b = 2", "1, 2, 3"),
        ("cpp", "void", "1"),
    ],
)
def test_a_method_that_does_not_take_the_arguments_is_not_meant(
    tmp_path: Path, language: str, parameters: str, arguments: str
) -> None:
    assert not _fits(tmp_path, language, parameters, arguments)


def test_one_overload_that_takes_the_arguments_is_enough(tmp_path: Path) -> None:
    store = "package shop;\nclass Store {\n  void vacuum() {}\n  void vacuum(int a, int b) {}\n}\n"
    for arguments, expected in (("", True), ("1", False), ("1, 2", True)):
        project = {"shop/Store.java": store, "shop/Use.java": _JAVA_CALL.format(arguments)}
        found = calls_of(tmp_path / str(len(arguments)), project, "shop/Use.java")
        assert (("shop/Store.java", "likely") in found) == expected


def test_in_java_a_method_of_an_outer_class_is_not_called_with_other_arguments(tmp_path: Path) -> None:
    text = (
        "package shop;\nclass Store {\n  void vacuum(int a) {}\n"
        "  static class Shelf extends Thread {\n    void tidy() {\n      vacuum(PASSED);\n    }\n  }\n}\n"
    )
    for passed, expected in (("1", {("Store.java", "resolved")}), ("", set())):
        project = {"Store.java": text.replace("PASSED", passed)}
        assert calls_of(tmp_path / f"with {passed}", project, "Store.java") == expected


def test_the_number_of_arguments_chooses_among_methods_in_java(tmp_path: Path) -> None:
    project = {
        "shop/Store.java": _JAVA.format("int a"),
        "shop/Shelf.java": _JAVA.format("int a, int b").replace("Store", "Shelf"),
        "shop/Use.java": _JAVA_CALL.format("1, 2"),
    }
    assert ("shop/Shelf.java", "likely") in calls_of(tmp_path, project, "shop/Use.java")


def test_the_number_of_arguments_does_not_choose_among_methods_in_python(tmp_path: Path) -> None:
    project = {
        "store.py": _PYTHON.format("a"),
        "shelf.py": _PYTHON.format("a, b").replace("Store", "Shelf"),
        "use.py": _CALLS.format("1, 2"),
    }
    assert calls_of(tmp_path, project, "use.py") == set()


def test_a_default_in_the_header_counts_for_the_definition(tmp_path: Path) -> None:
    project = {
        "store.h": "class Store {\n public:\n  void vacuum(int a, int b = 2);\n};\n",
        "store.cc": '#include "store.h"\nvoid Store::vacuum(int a, int b) {}\n',
        "use.cc": _CPP_CALL.format("1"),
    }
    assert ("store.cc", "likely") in calls_of(tmp_path, project, "use.cc")


def test_a_decorator_may_change_the_parameters(tmp_path: Path) -> None:
    project = {
        "store.py": _PYTHON.format("a").replace("    def", "    @inject\n    def"),
        "use.py": _CALLS.format(""),
    }
    assert ("store.py", "likely") in calls_of(tmp_path, project, "use.py")
    project["store.py"] = project["store.py"].replace("inject", "classmethod")
    assert calls_of(tmp_path / "two", project, "use.py") == set()


def test_of_several_values_only_those_that_take_the_arguments_are_meant(tmp_path: Path) -> None:
    functions = "def wide(a, b):\n    pass\n\n\ndef narrow(a):\n    pass\n"
    call = "def run(deep):\n    work = wide if deep else narrow\n    work({})\n"
    one = {"work.py": functions + call.format("1")}
    assert calls_of(tmp_path, one, "work.py", names=True) == {("narrow", "likely")}


@pytest.mark.parametrize(
    "arguments",
    [Arguments(0), Arguments(2), Arguments(1, 2), Arguments(0, spread=True), Arguments(3, 1, True)],
)
def test_arguments_are_stored_in_short_form(arguments: Arguments) -> None:
    assert read_arguments(str(arguments)) == arguments


@pytest.mark.parametrize(
    "parameters",
    [Parameters(0, 0, 0), Parameters(1, 2, 3), Parameters(1, None, None), Parameters(2, 2, None)],
)
def test_parameters_are_stored_in_short_form(parameters: Parameters) -> None:
    assert read_parameters(str(parameters)) == parameters


def test_a_call_without_stored_arguments_has_unknown_ones() -> None:
    assert read_arguments("") is None
