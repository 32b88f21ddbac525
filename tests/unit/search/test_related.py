"""Related code of a place, with the reasons."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sightline.search.related import REASONS
from sightline.stores.memory.memory_index import MemoryIndex
from tests.unit.languages.test_samples import SAMPLES
from tests.unit.search.small_index import PROJECT, SmallRelated, build_memory, make_related


def place(path: str, text: str) -> tuple[int, int]:
    """The line and column of a text in a file of the project."""
    lines = PROJECT[path].splitlines()
    line = next(at for at, content in enumerate(lines) if text in content)
    return line, lines[line].index(text)


def reasons(related: SmallRelated, path: str, text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for hit in related.find(path, *place(path, text), limit=20):
        found.setdefault(hit.reason, set()).add(hit.path)
    return found


def test_what_a_function_calls_is_related(related: SmallRelated) -> None:
    assert "src/auth/token.py" in reasons(related, "src/auth/session.py", "def login")["calls"]


def test_what_calls_a_function_is_related(related: SmallRelated) -> None:
    assert "src/auth/session.py" in reasons(related, "src/auth/token.py", "def issue_token")["called by"]


def test_a_file_and_its_tests_are_related_in_both_directions(related: SmallRelated) -> None:
    tests = reasons(related, "src/auth/token.py", "class TokenStore")
    assert any("tests/test_token.py" in paths for paths in tests.values())
    tested = reasons(related, "tests/test_token.py", "def test_revoke")
    assert any("src/auth/token.py" in paths for paths in tested.values())


def test_the_place_itself_is_not_related_to_itself(related: SmallRelated) -> None:
    line, column = place("src/storage/disk.py", "def read_all")
    for hit in related.find("src/storage/disk.py", line, column, limit=20):
        assert not (hit.path == "src/storage/disk.py" and hit.start_line <= line <= hit.end_line)


def test_hits_are_bounded_and_grouped_with_the_most_certain_first(related: SmallRelated) -> None:
    hits = related.find("src/auth/token.py", *place("src/auth/token.py", "def revoke"), limit=3)
    assert len(hits) <= 3
    order = [REASONS.index(hit.reason) for hit in hits]
    assert order == sorted(order)


@pytest.mark.parametrize(("line", "column"), [(0, 0), (9_999, 3), (2, 9_999)])
def test_any_position_gets_an_answer(related: SmallRelated, line: int, column: int) -> None:
    related.find("src/auth/token.py", line, column)


def test_any_word_of_any_language_gets_an_answer(tmp_path: Path) -> None:
    project = {path.stem: path.read_text("utf-8") for path in SAMPLES.glob("*.sample")}
    related = make_related(build_memory(tmp_path / "samples", project, vectors=False), tmp_path / "samples")
    for path, text in project.items():
        for line, content in enumerate(text.split("\n")):
            for word in re.finditer(r"\w+", content):
                related.find(path, line, word.start(), facts_only=True)


def test_a_file_that_is_not_indexed_has_no_related_code(related: SmallRelated) -> None:
    assert related.find("nowhere.py", 0, 0) == []


def test_two_definitions_of_one_name_are_related(tmp_path: Path) -> None:
    project = {
        "a.py": "def open_socket(port):\n    return bind_listener(port, backlog=64)\n",
        "b.py": "def open_socket(path):\n    return unix_listener(path, mode=0o600)\n",
    }
    memory: MemoryIndex = build_memory(tmp_path / "two", project)
    hits = make_related(memory, tmp_path / "two").find("a.py", 0, 5)
    assert [(hit.path, hit.reason) for hit in hits] == [("b.py", "same name")]


SHOP = {
    "shop/__init__.py": "",
    "shop/text.py": (
        "import re\n\n\ndef slugify(value):\n    return clean(value).lower()\n\n\n"
        "def clean(value):\n    return re.sub('x', '', value)\n"
    ),
    "shop/filters.py": (
        "from shop.text import slugify as make_slug\n\n\n"
        "def slug_filter(value):\n    text = str(value)\n    return make_slug(text)\n\n\n"
        "class Lower:\n    def lower(self):\n        return self\n"
    ),
    "shop/base.py": (
        "class Store:\n    def close(self):\n        pass\n\n\n"
        "class DiskStore(Store):\n    def close(self):\n        return 1\n"
    ),
    "templates/slugify.html": "<p>slugify</p>\n",
    "tests/test_text.py": (
        "from shop.text import slugify\n\n\ndef test_slugify():\n    assert slugify('A') == 'a'\n\n\n"
        "def test_clean():\n    pass\n\n\ndef test_other():\n    pass\n"
    ),
}


def facts(folder: Path, project: dict[str, str], path: str, text: str) -> set[tuple[str, str, str]]:
    """The facts about a text in a file: the reason, the file and the symbol."""
    lines = project[path].split("\n")
    line = next(at for at, content in enumerate(lines) if text in content)
    related = make_related(build_memory(folder, project, vectors=False), folder)
    found = related.find(path, line, lines[line].index(text), limit=50)
    return {(hit.reason, hit.path, hit.symbol.name if hit.symbol else "") for hit in found}


def test_a_call_on_an_unknown_object_is_not_a_fact(tmp_path: Path) -> None:
    assert facts(tmp_path / "shop", SHOP, "shop/text.py", "slugify") == {
        ("called by", "shop/filters.py", "slug_filter"),
        ("calls", "shop/text.py", "clean"),
        ("test of", "tests/test_text.py", "test_slugify"),
    }


def test_a_test_is_recognised_by_its_name(tmp_path: Path) -> None:
    found = facts(tmp_path / "shop", SHOP, "shop/text.py", "clean(value):")
    assert {each for each in found if each[0] == "test of"} == {
        ("test of", "tests/test_text.py", "test_clean")
    }


def test_a_test_is_related_to_what_it_tests(tmp_path: Path) -> None:
    found = facts(tmp_path / "shop", SHOP, "tests/test_text.py", "test_slugify")
    assert ("tested by", "shop/text.py", "slugify") in found
    assert not {each for each in found if each[0] == "test of"}


def test_the_name_of_a_call_leads_to_its_definition(tmp_path: Path) -> None:
    found = facts(tmp_path / "shop", SHOP, "shop/filters.py", "make_slug(text)")
    assert ("definition", "shop/text.py", "slugify") in found


def test_any_part_of_a_name_with_signs_is_the_definition_itself(tmp_path: Path) -> None:
    project = {
        "store.cc": (
            "int close(int file) {\n  return file;\n}\n"
            "class Store {\n public:\n  ~Store() { close(1); }\n  int open() { return 2; }\n};\n"
            "Store make() {\n  return Store();\n}\n"
        )
    }
    assert facts(tmp_path / "cpp", project, "store.cc", "Store() { close") == {("calls", "store.cc", "close")}


def test_derived_classes_and_overrides_are_related(tmp_path: Path) -> None:
    assert facts(tmp_path / "class", SHOP, "shop/base.py", "Store:") == {
        ("implements", "shop/base.py", "DiskStore")
    }
    related = make_related(build_memory(tmp_path / "method", SHOP, vectors=False), tmp_path / "method")
    hits = related.find("shop/base.py", 1, 9, limit=50)
    assert [(hit.reason, hit.start_line) for hit in hits] == [("implements", 6)]


def test_a_caller_is_shown_at_the_line_of_the_call(tmp_path: Path) -> None:
    related = make_related(build_memory(tmp_path / "shop", SHOP, vectors=False), tmp_path / "shop")
    (caller,) = [hit for hit in related.find("shop/text.py", 3, 5) if hit.reason == "called by"]
    assert caller.snippet.text == "    return make_slug(text)"
    assert caller.selection is not None
    assert (caller.selection.line, caller.selection.start, caller.selection.end) == (5, 11, 20)
    assert caller.confidence == "resolved"


def test_every_group_has_room_among_the_hits(tmp_path: Path) -> None:
    callers = "".join(f"def caller_{n}():\n    slugify(1)\n\n\n" for n in range(30))
    project = {**SHOP, "shop/many.py": f"from shop.text import slugify\n\n\n{callers}"}
    related = make_related(build_memory(tmp_path / "shop", project, vectors=False), tmp_path / "shop")
    hits = related.find("shop/text.py", 3, 5, limit=6)
    assert [hit.reason for hit in hits] == ["called by"] * 4 + ["calls", "test of"]


def test_a_hover_shows_only_resolved_calls_as_facts(tmp_path: Path) -> None:
    project = {
        "a.py": "class Store:\n    def vacuum(self):\n        pass\n",
        "b.py": "def tidy(store):\n    store.vacuum()\n",
    }
    related = make_related(build_memory(tmp_path / "two", project), tmp_path / "two")
    assert [(hit.reason, hit.confidence) for hit in related.find("b.py", 0, 5)] == [("calls", "likely")]
    assert related.find("b.py", 0, 5, facts_only=True) == []


def test_callers_in_an_edited_file_are_shown_at_their_current_line(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    related = make_related(build_memory(folder, SHOP, vectors=False), folder)
    path = folder / "shop/filters.py"
    path.write_text("# a new line\n" + path.read_text())
    (caller,) = [hit for hit in related.find("shop/text.py", 3, 5) if hit.reason == "called by"]
    assert caller.selection is not None
    assert (caller.selection.line, caller.start_line) == (6, 4)


def test_similar_code_is_named_and_shown_at_its_name(tmp_path: Path) -> None:
    doc = '    """Revoke a task by its id, so that no worker executes it."""\n'
    body = f"(task_id):\n{doc}    state.revoked.add(task_id)\n"
    project = {
        "one.py": f"def revoke{body}",
        "two.py": f"@command(\n    name='cancel',\n)\ndef cancel{body}",
    }
    folder = tmp_path / "alike"
    hits = make_related(build_memory(folder, project), folder).find("one.py", 0, 4)
    [similar] = [hit for hit in hits if hit.reason == "similar"]
    assert similar.symbol
    assert similar.symbol.name == "cancel"
    assert similar.selection
    assert similar.selection.line == 3
