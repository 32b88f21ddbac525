"""A call on an unknown object: which method of that name may be meant, and which cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from sightline.relations.graph import Graph
from sightline.relations.world import World
from tests.unit.search.small_index import build_memory

_STORE = "class Store:\n    def vacuum(self):\n        pass\n"
_CALL = "def tidy(store):\n    store.vacuum()\n"


def calls_of(
    folder: Path, project: dict[str, str], path: str, *, names: bool = False
) -> set[tuple[str, str]]:
    """What a file calls: the file of the definition, or its name, and the confidence."""
    memory = build_memory(folder / "project", project, vectors=False)
    with memory.guard.reading():
        world = World(memory)
        number = memory.file_number(path)
        assert number is not None
        sites = Graph(world).callees(number, range(len(world.facts(number).scopes)))
        shown = world.name_of if names else lambda row: world.path(world.file_of(row))
        return {(shown(site.callee), site.confidence) for site in sites}


def test_the_only_method_of_a_name_is_likely_to_be_meant(tmp_path: Path) -> None:
    assert calls_of(tmp_path, {"a.py": _STORE, "b.py": _CALL}, "b.py") == {("a.py", "likely")}


@pytest.mark.parametrize("name", ["store", "self.store", "stores[0]", "old_store", "self._store", "stor"])
def test_in_python_an_object_is_named_after_its_type(tmp_path: Path, name: str) -> None:
    call = _CALL.replace("store.", f"{name}.").replace("(store)", "(self, stores, old_store, stor)")
    assert calls_of(tmp_path, {"a.py": _STORE, "b.py": call}, "b.py") == {("a.py", "likely")}


@pytest.mark.parametrize("name", ["s", "st", "box", "self.box", "make()"])
def test_in_python_an_object_with_another_name_may_be_anything(tmp_path: Path, name: str) -> None:
    call = _CALL.replace("store.", f"{name}.").replace("(store)", "(self, s, st, box, make)")
    assert calls_of(tmp_path, {"a.py": _STORE, "b.py": call}, "b.py") == set()


def test_a_member_that_the_class_assigns_is_not_inherited_from_a_library(tmp_path: Path) -> None:
    text = (
        "from threading import Thread\n\n\nclass Tidy(Thread):\n"
        "    def __init__(self, given):\n        self.store = (given or make)()\n\n"
        "    def work(self):\n        self.store.vacuum()\n"
    )
    assert calls_of(tmp_path, {"a.py": _STORE, "b.py": text}, "b.py") == {("a.py", "likely")}


def test_code_does_not_call_a_method_that_only_tests_define(tmp_path: Path) -> None:
    assert calls_of(tmp_path, {"tests/fakes.py": _STORE, "b.py": _CALL}, "b.py") == set()
    assert calls_of(tmp_path / "two", {"test_store.py": _STORE, "b.py": _CALL}, "b.py") == set()


def test_a_test_may_call_a_method_that_tests_define(tmp_path: Path) -> None:
    project = {"tests/fakes.py": _STORE, "tests/test_b.py": _CALL}
    assert calls_of(tmp_path, project, "tests/test_b.py") == {("tests/fakes.py", "likely")}


_SHAPE = "package shop;\nclass Shape {\n  boolean isAssignableFrom(Object o) { return true; }\n}\n"


@pytest.mark.parametrize(
    "body",
    [
        "void run(Class<?> raw) {\n    raw.isAssignableFrom(1);\n  }",
        "Number get() { return 1; }\n  void run() {\n    get().isAssignableFrom(1);\n  }",
        "void run() {\n    Enum.class.isAssignableFrom(1);\n  }",
        "private final Field field;\n  void run() {\n    field.isAssignableFrom(1);\n  }",
        "void run(Object given) {\n    ((WildcardType) given).isAssignableFrom(1);\n  }",
    ],
    ids=["declared", "returned", "named", "member", "cast"],
)
def test_an_object_of_a_library_has_no_method_of_the_workspace(tmp_path: Path, body: str) -> None:
    text = f"package shop;\nimport java.lang.reflect.WildcardType;\nclass Use {{\n  {body}\n}}\n"
    found = calls_of(tmp_path, {"shop/Shape.java": _SHAPE, "shop/Use.java": text}, "shop/Use.java")
    assert not {each for each in found if each[0] == "shop/Shape.java"}


def test_a_cast_says_the_type_of_an_object(tmp_path: Path) -> None:
    body = "void run(Object given) {\n    ((Shape) given).isAssignableFrom(1);\n  }"
    text = f"package shop;\nclass Use {{\n  {body}\n}}\n"
    found = calls_of(tmp_path, {"shop/Shape.java": _SHAPE, "shop/Use.java": text}, "shop/Use.java")
    assert found == {("shop/Shape.java", "resolved")}
